import CodeSigning
import Foundation

/// What `Samples/signing` makes, once for all tests of a run.
enum SigningSamples {
  /// The package's folder.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder with `machos`, `machos.json` and `apps`; nil where there is no python3.
  static let folder: URL? = {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("signing-samples-\(ProcessInfo.processInfo.processIdentifier)")
    guard run("make-signing-samples", [folder.path]) != nil else { return nil }
    atexit {
      if let folder = SigningSamples.folder { try? FileManager.default.removeItem(at: folder) }
    }
    return folder
  }()

  static var areThere: Bool { folder != nil }

  /// A Mach-O file of the samples.
  static func macho(_ name: String) throws -> [UInt8] {
    guard let folder else { throw Missing() }
    return Array(try Data(contentsOf: folder.appendingPathComponent("machos/\(name)")))
  }

  /// The bytes that the signed samples seal as Info.plist and as CodeResources.
  static func sealed() throws -> (infoPlist: [UInt8], codeResources: [UInt8]) {
    (try macho("Info.plist"), try macho("CodeResources"))
  }

  /// What a program of `Samples/signing` prints, nil where it fails or there is no python3.
  static func run(_ name: String, _ arguments: [String]) -> Data? {
    python([package.appendingPathComponent("Samples/signing/\(name)").path] + arguments)
  }

  /// What python3 prints, nil where it fails or there is none.
  static func python(_ arguments: [String]) -> Data? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? data : nil
  }

  struct Missing: Error {}
}

/// What `Samples/signing/signinglib/reader.py` says of an executable.
struct ReadExecutable: Decodable, Sendable {
  struct Directory: Decodable, Equatable, Sendable {
    var slot: UInt32
    var version: UInt32
    var flags: UInt32
    var hashType: UInt8
    var identifier: String
    var team: String?
    var codeLimit: UInt64
    var pages: Int
    var wrong: [Int]
    var slots: [String: String]
    var cdhash: String
  }

  struct Slice: Decodable, Equatable, Sendable {
    var uuid: String?
    var cryptID: UInt32?
    var platforms: [UInt32]
    var directories: [Directory]
    var blobs: [[Int]]
  }

  var file: String
  var member: String
  var infoPlist: String?
  var resources: String?
  var slices: [Slice]
}

extension ReadExecutable.Slice {
  /// The same of what the module found, but for `platforms`, which the reader knows of LC_BUILD_VERSION alone.
  init(_ found: ExecutableSeal.Slice, platforms: [UInt32]) {
    self.init(
      uuid: found.slice.uuid.map(hexadecimal), cryptID: found.slice.encryption?.cryptID,
      platforms: platforms, directories: found.directories.map(ReadExecutable.Directory.init),
      blobs: (found.signature?.blobs ?? []).map { [Int($0.slot.rawValue), $0.bytes.count] })
  }
}

extension ReadExecutable.Directory {
  init(_ found: ExecutableSeal.Directory) {
    let directory = found.codeDirectory
    let slots = found.slots.map { ("\($0.slot.rawValue)", $0.state.rawValue) }
    self.init(
      slot: directory.slot.rawValue, version: directory.version, flags: directory.flags.rawValue,
      hashType: directory.hashAlgorithm.rawValue, identifier: directory.identifier,
      team: directory.teamIdentifier, codeLimit: directory.codeLimit,
      pages: found.pages.checked, wrong: found.pages.firstWrong,
      slots: Dictionary(slots) { first, _ in first }, cdhash: hexadecimal(found.cdHash))
  }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
