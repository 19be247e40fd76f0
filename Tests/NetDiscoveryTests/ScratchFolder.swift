import Foundation
import Testing

/// A folder that goes with this value.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/scratch-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file with a mode and returns its path.
  @discardableResult
  func write(_ text: String, to name: String, mode: Int = 0o755) throws -> String {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }

  /// Writes a script for the shell that can be run.
  @discardableResult
  func script(_ text: String, named name: String = "command") throws -> String {
    try program("#!/bin/sh\n\(text)\n", named: name)
  }

  /// Writes a program through another process: a file that this one has open for writing would be open
  /// for a moment in a child that another test starts, and could not be run meanwhile.
  func program(_ text: String, named name: String) throws -> String {
    let file = try write("", to: name + "~")
    let final = "\(path)/\(name)"
    let shell = try #require(Tool(named: "sh"))
    _ = try shell.output(
      ["-c", "cat >\"$0\" && chmod 755 \"$0\" && rm \"$1\"", final, file], input: Data(text.utf8))
    return final
  }
}
