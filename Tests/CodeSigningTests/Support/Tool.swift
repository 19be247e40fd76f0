import Foundation

/// Programs that make inputs or check results without sharing code with the module.
enum Tool {
  struct Result {
    let status: Int32
    let output: String
  }

  /// Runs a program and returns its standard output and error together.
  @discardableResult
  static func run(_ arguments: [String]) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self))
  }
}
