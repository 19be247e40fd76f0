#if os(Linux)
  /// Reads marshalled values one after the other (D-Bus specification, "Marshaling").
  ///
  /// Alignment counts from the first byte. Each step checks that its bytes are there.
  struct DBusReader {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private(set) var position: Int

    init(_ bytes: [UInt8], isBigEndian: Bool, at position: Int = 0) {
      self.bytes = bytes
      self.isBigEndian = isBigEndian
      self.position = position
    }

    var remaining: Int { bytes.count - position }

    /// Goes to the next multiple of 2, 4 or 8. What is skipped is zero.
    mutating func align(to boundary: Int) throws(DBusError) {
      let padding = (boundary - position % boundary) % boundary
      guard try take(padding).allSatisfy({ $0 == 0 }) else {
        throw .malformed("padding before byte \(position) is not zero")
      }
    }

    mutating func byte() throws(DBusError) -> UInt8 {
      try take(1).reduce(0) { $0 | $1 }
    }

    mutating func uint32() throws(DBusError) -> UInt32 {
      try align(to: 4)
      var four = Array(try take(4))
      if !isBigEndian { four.reverse() }
      return four.reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func int32() throws(DBusError) -> Int32 { Int32(bitPattern: try uint32()) }

    /// A string or an object path: its length, UTF-8 without zero, a zero.
    mutating func string() throws(DBusError) -> String {
      try text(length: Int(try uint32()))
    }

    /// A list of type codes: the same with a length of one byte.
    mutating func signature() throws(DBusError) -> String {
      try text(length: Int(try byte()))
    }

    /// Passes a value of a basic type over. Containers are refused: no header field has one.
    mutating func skip(_ type: String) throws(DBusError) {
      switch type {
      case "y": _ = try byte()
      case "n", "q":
        try align(to: 2)
        _ = try take(2)
      case "b", "i", "u", "h": _ = try uint32()
      case "x", "t", "d":
        try align(to: 8)
        _ = try take(8)
      case "s", "o": _ = try string()
      case "g": _ = try signature()
      default: throw .malformed("a header field of type \(quoted(type))")
      }
    }

    private mutating func text(length: Int) throws(DBusError) -> String {
      guard length < remaining else {
        throw .malformed("a text of \(length) bytes, only \(remaining) bytes remain")
      }
      let content = try take(length)
      guard try byte() == 0, !content.contains(0),
        let text = String(validating: content, as: UTF8.self)
      else { throw .malformed("a text before byte \(position) is no UTF-8 that a zero ends") }
      return text
    }

    private mutating func take(_ count: Int) throws(DBusError) -> ArraySlice<UInt8> {
      guard count <= remaining else {
        throw .malformed("\(count) bytes wanted at byte \(position), only \(remaining) remain")
      }
      defer { position += count }
      return bytes[position..<position + count]
    }
  }
#endif
