import AppBundle
import Foundation

/// An app in a folder of a test's own, removed with the object.
final class AppFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/app-folder-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func at(_ name: String) -> String { "\(path)/\(name)" }

  @discardableResult
  func write(_ name: String, _ bytes: some Collection<UInt8>, mode: Int = 0o644) throws -> String {
    try makeFolder(above: name)
    try Data(bytes).write(to: URL(fileURLWithPath: at(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: at(name))
    return at(name)
  }

  func link(_ name: String, to target: String) throws {
    try makeFolder(above: name)
    try FileManager.default.createSymbolicLink(atPath: at(name), withDestinationPath: target)
  }

  /// Writes an Info.plist of keys and texts.
  func writeInfo(_ name: String, _ keys: KeyValuePairs<String, String>) throws {
    let pairs = keys.map { "<key>\($0.key)</key><string>\($0.value)</string>" }.joined()
    try write(name, "<plist version=\"1.0\"><dict>\(pairs)</dict></plist>".utf8)
  }

  func open() throws -> Application { try Application.open(path) }

  private func makeFolder(above name: String) throws {
    let parent = (at(name) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
  }
}

/// Beginnings of Mach-O files: as much of one as its kind is told from.
enum MachOHeader {
  /// A 64-bit ARM file of a type: 2 executable, 6 dylib, 1 object, 10 debug symbols.
  static func thin(_ type: UInt8) -> [UInt8] {
    [0xCF, 0xFA, 0xED, 0xFE, 0x0C, 0, 0, 1, 0, 0, 0, 0, type] + [UInt8](repeating: 0, count: 51)
  }

  static let executable = thin(2)
  static let bigEndian =
    [0xFE, 0xED, 0xFA, 0xCE, 0, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 48)

  /// A fat file of so many slices; a Java class file has its version there.
  static func fat(_ count: UInt8) -> [UInt8] {
    [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, count] + [UInt8](repeating: 0, count: 56)
  }
}
