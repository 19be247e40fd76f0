import AppBundle
import Foundation
import Testing

@testable import CodeSigning

/// Apps for the ad hoc signer, each unpacked into a folder of its own.
enum AdHocApps {
  /// Unpacks an archive into a folder.
  static func unpack(_ archive: String, to path: String) throws {
    _ = try Packing.unpack(archive, to: Packing.Output(path))
  }

  /// An app of the samples in `folder/before`, and the same in `folder/name`.
  static func sample(_ sample: String, in folder: AppFolder, _ names: [String]) throws {
    let samples = try #require(SigningSamples.folder)
    for name in names {
      try unpack(samples.appendingPathComponent("apps/\(sample).ipa").path, to: folder.at(name))
    }
  }

  /// What a reader in another language finds wrong with a signed app.
  static func problems(_ after: String, before: String? = nil) throws -> String {
    let script = SigningSamples.package.appendingPathComponent("Tests/scripts/ad-hoc-seals.py")
    let done = try Tool.run(["python3", script.path, after] + (before.map { [$0] } ?? []))
    return done.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// All files and links of a folder with their bytes, modes and times.
  static func contents(_ path: String) throws -> [String: String] {
    var found: [String: String] = [:]
    let manager = FileManager.default
    for name in try manager.subpathsOfDirectory(atPath: path) {
      let whole = "\(path)/\(name)"
      let attributes = try manager.attributesOfItem(atPath: whole)
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      let mode = attributes[.posixPermissions] as? Int ?? 0
      var content = ""
      switch attributes[.type] as? FileAttributeType {
      case .typeSymbolicLink: content = try manager.destinationOfSymbolicLink(atPath: whole)
      case .typeRegular:
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: whole)))
        content = hexadecimal(try HashAlgorithm.sha256.hash(bytes))
      default: break
      }
      found[name] = "\(mode) \(time) \(content)"
    }
    return found
  }

  /// What our own check says of a signed app.
  static func signature(_ path: String) throws -> AppSignature {
    let app = try Application.open(path)
    return try AppSignature(of: app, objects: app.codeObjects())
  }
}
