import Foundation
import Testing

@testable import NetDiscovery

/// Foundation on macOS and Linux has a `Host` too.
typealias Host = NetDiscovery.Host

/// A row of a test table, shown by its name.
protocol NamedRow: CustomTestStringConvertible, Sendable {
  var name: String { get }
}

extension NamedRow {
  var testDescription: String { name }
}

/// A program that shares no code with this package.
struct Tool {
  let path: String

  static let python = Tool(named: "python3")
  static let ip = Tool(named: "ip")

  init?(named name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = (folders + ["/usr/sbin", "/sbin"]).map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
    self.path = path
  }

  /// What the program prints on its standard output. It must read all its input before it prints.
  func output(_ arguments: [String], input: Data = Data()) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: input)
    try standardInput.fileHandleForWriting.close()
    let data = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ToolFailure(path: path, status: process.terminationStatus)
    }
    return data
  }
}

struct ToolFailure: Error {
  let path: String
  let status: Int32
}

/// Numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}

extension Host {
  /// A host of a text that is known to be one.
  static func of(_ text: String) -> Host {
    guard let host = try? Host(parsing: text) else { preconditionFailure("'\(text)' is no host") }
    return host
  }
}
