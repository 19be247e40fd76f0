/// Text that compares and hashes by its UTF-8 bytes, for looking keys up: `String` itself takes
/// canonically equivalent texts as the same.
package struct ExactText: Hashable, Sendable {
  let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: Self, b: Self) -> Bool { a.text.isIdenticalText(to: b.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// The text in quotes for a message: one line, and no more than its beginning.
  var quoted: String {
    let most = 60
    let start = unicodeScalars.prefix(most).map { scalar in
      scalar.isControl ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "'" + start.joined() + (unicodeScalars.dropFirst(most).isEmpty ? "'" : "…'")
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may obey the character instead of showing it: the controls of ASCII, and those
  /// that ISO 8859 puts from U+0080 on.
  var isControl: Bool { properties.generalCategory == .control }
}

extension PlistValue {
  /// The address of a container's storage: two values that have it in common are equal. Nil for a
  /// leaf and for an empty container, which share none. It identifies nothing once its owner is gone.
  var storage: UInt? {
    switch self {
    case .dictionary(let dictionary) where !dictionary.isEmpty:
      dictionary.entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    case .array(let items) where !items.isEmpty, .set(let items) where !items.isEmpty:
      items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    default: nil
    }
  }

  /// Whether the value may hold others.
  var isContainer: Bool {
    switch self {
    case .dictionary, .array, .set: true
    default: false
    }
  }
}
