internal import Foundation
internal import PlistKit

/// A property list in both formats, and what there is in it.
struct Input {
  let size: Size
  let xml: File
  let binary: File
  /// What wrote the binary form.
  let binaryWriter: String
  /// Values, containers among them.
  let values: Int
  /// XML elements.
  let elements: Int
  /// Entries of the root.
  let rootCount: Int

  /// Bytes, and the file that holds them.
  struct File {
    let bytes: [UInt8]
    let path: String
  }

  func file(_ format: Format) -> File { format == .xml ? xml : binary }
  func bytes(_ format: Format) -> [UInt8] { file(format).bytes }

  /// Makes the input, or takes the binary form that an earlier run made of the same XML.
  ///
  /// plistlib writes the binary form where there is Python, so that PlistKit does not read a layout
  /// of its own.
  init(_ size: Size, python: PythonTimer?) throws {
    let generator = InputGenerator(bytes: size.bytes)
    let name = "\(size.rawValue)-\(String(Self.hash(generator.bytes), radix: 16))"
    let folder = Package.path(".build/inputs")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let xml = File(bytes: generator.bytes, path: "\(folder)/\(name).plist")
    let writer = python == nil ? "PlistKit" : "plistlib"
    let binaryPath = "\(folder)/\(name)-\(writer).bplist"
    if !FileManager.default.fileExists(atPath: binaryPath) {
      try Data(xml.bytes).write(to: URL(filePath: xml.path), options: .atomic)
      try Self.makeBinary(of: xml, at: binaryPath, values: generator.values, python: python)
    }
    self.size = size
    self.xml = xml
    binary = File(bytes: [UInt8](try Data(contentsOf: URL(filePath: binaryPath))), path: binaryPath)
    binaryWriter = writer
    values = generator.values
    elements = generator.elements
    rootCount = generator.rootCount
  }

  /// Writes the binary form, which must hold what the XML holds, at a path.
  private static func makeBinary(
    of xml: File, at path: String, values: Int, python: PythonTimer?
  ) throws {
    let root = try PlistDocument(parsing: xml.bytes).root
    guard root.valueCount == values else {
      throw BenchmarkError("PlistKit reads \(root.valueCount) of \(values) values of \(xml.path)")
    }
    // It gets its name when it is known to be right.
    let draft = path + ".draft"
    if let python {
      try python.makeBinary(of: xml.path, at: draft)
    } else {
      let bytes = try PlistDocument(root: root, format: .binary).serialized()
      try Data(bytes).write(to: URL(filePath: draft))
    }
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: draft)))
    guard try PlistDocument(parsing: bytes).root == root else {
      throw BenchmarkError("\(draft) does not hold what \(xml.path) holds")
    }
    try FileManager.default.moveItem(atPath: draft, toPath: path)
  }

  /// FNV-1a, to tell one content from another.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension PlistValue {
  /// How many values there are, containers and this one among them.
  var valueCount: Int {
    switch self {
    case .dictionary(let dictionary): dictionary.entries.reduce(1) { $0 + $1.value.valueCount }
    case .array(let items), .set(let items): items.reduce(1) { $0 + $1.valueCount }
    default: 1
    }
  }
}

/// What ends the run.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Where this package lies.
enum Package {
  /// The path of something in it.
  static func path(_ relative: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../\(relative)")
      .standardizedFileURL.path(percentEncoded: false)
  }
}
