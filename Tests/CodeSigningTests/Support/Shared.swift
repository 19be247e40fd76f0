import AppBundle
import CodeSigning
import Foundation
import Testing

/// Files that lie beside the checkout on some machines only.
enum Shared {
  static let folder: String? = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    for place in [url, url.deletingLastPathComponent()] {
      let path = place.appendingPathComponent("shared").path
      if FileManager.default.fileExists(atPath: path) { return path }
    }
    return nil
  }()

  static func path(_ name: String) -> String? { folder.map { "\($0)/\(name)" } }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: try #require(Shared.path(name)))))
  }

  /// An app of it; a zip without `Payload` is unpacked into a folder first.
  static func open(_ name: String, unpackedInto folder: AppFolder) throws -> Application {
    let path = try #require(Shared.path(name))
    guard name.hasSuffix(".zip") else { return try Application.open(path) }
    let done = try Tool.run(["python3", "-m", "zipfile", "-e", path, folder.at("unpacked")])
    try #require(done.status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.at("unpacked"))
    let app = try #require(names.first { $0.hasSuffix(".app") })
    return try Application.open(folder.at("unpacked/\(app)"))
  }
}

/// A row of a table of tests, shown by its name.
protocol NamedRow: Sendable, CustomTestStringConvertible {
  var name: String { get }
}

extension NamedRow {
  var testDescription: String { name }
}

/// The code of the error that a call throws, nil where it throws none.
func signingErrorCode(_ body: () throws(SigningError) -> Void) -> SigningError.Code? {
  do throws(SigningError) {
    try body()
    return nil
  } catch {
    return error.code
  }
}
