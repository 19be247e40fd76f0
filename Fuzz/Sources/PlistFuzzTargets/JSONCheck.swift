import PlistKit

/// What must hold for JSON: what is written reads as the same value, and what is read can be written.
struct JSONCheck {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func run() throws(FuzzFailure) {
    let value: PlistValue
    do { value = try PlistValue(parsingJSON: bytes, limits: ReaderCheck.limits) } catch {
      return try ErrorCheck.check(error, in: bytes, Self.codes)
    }
    for options in Self.layouts {
      let written = try require("JSON that was read cannot be written") { () throws(PlistError) in
        try value.json(options)
      }
      try Self.check(written, reads: value)
    }
  }

  /// Checks a value of any kind.
  static func check(_ value: PlistValue) throws(FuzzFailure) {
    for options in layouts {
      let written = try attempt(
        { () throws(PlistError) in try value.json(options) }, allowing: [.unrepresentable, .limit],
        "JSON cannot be written")
      if let written { try check(written, reads: value.jsonForm) }
    }
  }

  private static func check(_ written: [UInt8], reads value: PlistValue) throws(FuzzFailure) {
    let again = try require("JSON that was written is not read") { () throws(PlistError) in
      try PlistValue(parsingJSON: written)
    }
    try require(again == value, "JSON that was written reads otherwise")
  }

  private static let layouts = [JSONOptions(), JSONOptions(isCompact: true)]

  private static let codes: Set<PlistError.Code> = [
    .truncated, .malformed, .encoding, .trailingBytes, .duplicateKey, .badValue, .limit,
  ]
}

extension PlistValue {
  /// The value as JSON holds it: reals without their width.
  fileprivate var jsonForm: PlistValue {
    switch self {
    case .dictionary(let dictionary):
      .dictionary(PlistDictionary(dictionary.entries.map { ($0.key, $0.value.jsonForm) }))
    case .array(let items): .array(items.map(\.jsonForm))
    case .real(let real): .real(PlistReal(real.value))
    default: self
    }
  }
}
