internal import PlistKit

/// A property list in both formats, and what there is in it.
struct Input {
  let size: Size
  let xml: [UInt8]
  let binary: [UInt8]
  /// Values, containers among them.
  let values: Int
  /// XML elements.
  let elements: Int
  /// Entries of the root.
  let rootCount: Int

  func bytes(_ format: Format) -> [UInt8] { format == .xml ? xml : binary }

  init(_ size: Size) throws {
    let generator = InputGenerator(bytes: size.bytes)
    let document = try PlistDocument(parsing: generator.bytes)
    self.size = size
    xml = generator.bytes
    binary = try PlistDocument(root: document.root, format: .binary).serialized()
    values = generator.values
    elements = generator.elements
    rootCount = document.root.dictionary?.count ?? 0
    guard document.root.valueCount == values else {
      throw BenchmarkError("PlistKit reads \(document.root.valueCount) of \(values) values")
    }
  }
}

/// What ends the run.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
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
