import Foundation
import Testing

@testable import AppBundle

/// A folder of a test's own, removed with the object.
final class Workplace: Sendable {
  let path: String

  init(in folder: String = NSTemporaryDirectory()) throws {
    path = folder + "/app-bundle-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // Folders that a test made unreadable must be opened again first.
    _ = try? Tool.run(["chmod", "-R", "u+rwx", path])
    try? FileManager.default.removeItem(atPath: path)
  }

  func at(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func write(_ name: String, _ bytes: some Collection<UInt8>, mode: Int? = nil) throws -> String {
    let target = at(name)
    let parent = (target as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: target))
    if let mode {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: target)
    }
    return target
  }

  func link(_ name: String, to target: String) throws {
    let parent = (at(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: at(name), withDestinationPath: target)
  }

  func read(_ name: String) throws -> [UInt8] { try Files.read(at(name)) }

  /// All names in the folder, hidden ones too.
  func names(_ folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: at(folder)).sorted()
  }
}

enum Files {
  static func read(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  static func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }

  static func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  static func linkTarget(_ path: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: path)
  }
}

/// Programs that check results without sharing code with the module.
enum Tool {
  struct Result {
    let status: Int32
    let output: String
  }

  /// Runs a program and returns its standard output and error together.
  @discardableResult
  static func run(_ arguments: [String], input: String? = nil) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    if let input {
      let pipe = Pipe()
      process.standardInput = pipe
      try process.run()
      pipe.fileHandleForWriting.write(Data(input.utf8))
      try pipe.fileHandleForWriting.close()
    } else {
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self))
  }

  static func exists(_ name: String) -> Bool {
    (try? run(["which", name]).status) == 0
  }

  static let hasPython = exists("python3")
  static let hasUnzip = exists("unzip")

  /// Runs a Python script with arguments.
  static func python(_ script: String, _ arguments: [String]) throws -> Result {
    try run(["python3", "-B", "-"] + arguments, input: script)
  }
}

/// Sample data beside the repository, where it is there.
enum Shared {
  static let folder: String? = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { url.deleteLastPathComponent() }
    let path = url.appendingPathComponent("shared").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  static func path(_ name: String) -> String? { folder.map { "\($0)/\(name)" } }
}

/// A row of a table of tests, shown by its name.
protocol NamedRow: Sendable, CustomTestStringConvertible {
  var name: String { get }
}

extension NamedRow {
  var testDescription: String { name }
}

/// The code of the error that a call throws, nil where it throws none.
func code(_ body: () throws -> Void) -> BundleError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? BundleError)?.code
  }
}
