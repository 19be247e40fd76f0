/// How a value is written as JSON.
public struct JSONOptions: Sendable, Equatable {
  /// Whether all stands in one line. Else a level is indented by two spaces, and a name is followed by
  /// ` : `, as Apple's writer has it.
  public var isCompact = false
  /// Whether a date becomes text in the form of ``PlistDate/exactISO8601`` and data text in base 64.
  /// Read back they are strings; without this they are an error.
  public var writesDatesAndDataAsText = false

  /// Lines, and nothing that would read back as something else.
  public init() {}

  /// Options of these values.
  public init(isCompact: Bool, writesDatesAndDataAsText: Bool = false) {
    self.isCompact = isCompact
    self.writesDatesAndDataAsText = writesDatesAndDataAsText
  }
}

extension PlistValue {
  /// The value of a JSON text (RFC 8259).
  ///
  /// The order of names is kept. A number without fraction and exponent is an integer, any other a
  /// real: `1` and `1.0` differ. `null` is ``null``. Checked: the grammar to the letter, UTF-8, that no
  /// name stands twice in an object and no surrogate alone, that an integer is in the range -2^63 to
  /// 2^64 - 1 and a real not beyond that of a double. A byte-order mark is passed over.
  /// - Throws: ``PlistError`` with the line and column, and the key path that was reached; codes
  ///   `malformed`, `truncated`, `trailingBytes`, `encoding`, `duplicateKey`, `badValue`, `limit`.
  public init(
    parsingJSON bytes: [UInt8], limits: ParseLimits = .standard
  ) throws(PlistError) {
    var reader = JSONReader(bytes, limits: limits)
    self = try reader.parse()
  }

  /// The value as JSON (RFC 8259) in UTF-8, without a line feed at its end.
  ///
  /// The order of keys is kept. Escaped are only quotation marks, backslashes and control characters.
  /// A real has the shortest digits that read back as the same double.
  /// - Throws: ``PlistError`` with the key path and code `unrepresentable` for a UID, a set, a number
  ///   that is not finite, and, unless the options say otherwise, for a date and for data; with code
  ///   `limit` for a value that is deeper or, with what is shared written out, larger than `limits`.
  public func json(
    _ options: JSONOptions = JSONOptions(), limits: ParseLimits = .standard
  ) throws(PlistError) -> [UInt8] {
    var size = PlistSize(limits: limits)
    try size.add(self, depth: 0)
    var writer = JSONWriter(options)
    try writer.write(self)
    return writer.output
  }

  /// Whether the bytes look like a JSON text rather than a property list: an array, or an object whose
  /// first name is followed by a colon. The empty object counts as OpenStep text, which it is too.
  public static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
    var reader = JSONReader(bytes, limits: .standard)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
    reader.skipSpace()
    if reader.take("[") { return true }
    guard reader.take("{") else { return false }
    reader.skipSpace()
    guard reader.next == UInt8(ascii: "\""), (try? reader.readText()) != nil else { return false }
    reader.skipSpace()
    return reader.next == UInt8(ascii: ":")
  }
}
