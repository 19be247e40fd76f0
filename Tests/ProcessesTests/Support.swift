import Foundation
import Testing

/// A row of a test table, shown by its name.
protocol NamedRow: CustomTestStringConvertible, Sendable {
  var name: String { get }
}

extension NamedRow {
  var testDescription: String { name }
}

/// A folder that goes with this value.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/scratch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a script for the shell that can be run.
  @discardableResult
  func script(_ text: String, named name: String = "command") throws -> String {
    try program("#!/bin/sh\n\(text)\n", named: name)
  }

  /// Writes a program through another process: a file that this one has open for writing would be open
  /// for a moment in a child that another test starts, and could not be run meanwhile.
  func program(_ text: String, named name: String) throws -> String {
    let final = "\(path)/\(name)"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "cat >\"$0\" && chmod 755 \"$0\"", final]
    let input = Pipe()
    process.standardInput = input
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return final
  }
}
