import Foundation
import Testing

/// Runs the built tool as a person would, in a folder of its own with the sample apps in it.
struct Workplace {
  let folder: URL

  /// The package's root.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder that the test runner and the tool were built into.
  private static let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The samples, made once.
  private static let samples = Result { () throws -> URL in
    let folder = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID())")
    let outcome = try shell("'\(root.path)/Samples/make-samples' '\(folder.path)'", in: root)
    try #require(outcome.status == 0, "\(outcome.output)")
    return folder
  }

  /// Apps that others published, which are no part of the project; nil where they are not there.
  static let publishedApps: URL? = {
    let folder = root.appending(path: "../shared/ipas").standardizedFileURL
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// A folder with the samples, and with a link `published` to the published apps where a test asks for
  /// them.
  init(showsPublishedApps: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "workplace-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let samples = try Self.samples.get()
    let copy = try Self.shell(
      "cp -R '\(samples.path)/.' '\(Self.root.path)'/Samples/*.json .", in: folder)
    try #require(copy.status == 0, "\(copy.output)")
    if let apps = showsPublishedApps ? Self.publishedApps : nil {
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "published"), withDestinationURL: apps)
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// What a command printed, both streams together, and its exit status.
  struct Outcome {
    let output: String
    let status: Int32
  }

  func run(_ command: String) throws -> Outcome { try Self.shell(command, in: folder) }

  /// Expects a command to end with a status and one line that says why, and the folder to be as it was,
  /// by what a look at it prints.
  func expectRefusal(of command: String, status: Int32, keeping look: String) throws {
    let before = try run(look).output
    let outcome = try run(command)
    #expect(outcome.status == status, "\(outcome.output)")
    #expect(outcome.output.contains("error: "))
    #expect(outcome.output.split(separator: "\n").count == 1, "\(outcome.output)")
    #expect(try run(look).output == before)
  }

  /// A file of the folder.
  func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

  private static func shell(_ command: String, in folder: URL) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = products.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["COLUMNS"] = "80"
    for name in ["IPA_HUB_PORT", "NO_COLOR"] { environment[name] = nil }
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      output: String(decoding: output, as: UTF8.self), status: process.terminationStatus)
  }
}
