#if os(Linux)
  /// A message that came from the bus (D-Bus specification, "Message format").
  struct DBusMessage: Equatable {
    enum Kind: UInt8 {
      case methodCall = 1
      case methodReturn = 2
      case error = 3
      case signal = 4
    }

    /// Nil for a kind that the specification does not know yet and wants ignored.
    let kind: Kind?
    /// The serial number of the call that this answers.
    let replySerial: UInt32?
    let errorName: String?
    /// The types of the values in the body.
    let signature: String
    let body: [UInt8]
    let isBigEndian: Bool

    /// The body's values, one after the other.
    var values: DBusReader { DBusReader(body, isBigEndian: isBigEndian) }

    /// The bytes of a header that tell how long the message is.
    static let headBytes = 16
    /// The bytes of the longest message that is read. Answers to what is asked here have some hundred.
    static let maxBytes = 1 << 16

    /// How many bytes a message has, from the first 16 of them.
    /// - Throws: ``DBusError`` `malformed` for what is no header, `flood` beyond ``maxBytes``.
    static func length(head: some Collection<UInt8>) throws(DBusError) -> Int {
      let head = Array(head.prefix(headBytes))
      var reader = DBusReader(head, isBigEndian: try isBigEndian(head))
      for _ in 0..<3 { _ = try reader.byte() }
      let version = try reader.byte()
      guard version == 1 else { throw .malformed("a message of protocol version \(version)") }
      let bodyLength = Int(try reader.uint32())
      _ = try reader.uint32()
      let fieldsLength = Int(try reader.uint32())
      // Both are below 2^32, so that the sum cannot overflow.
      let length = headBytes + (fieldsLength + 7) / 8 * 8 + bodyLength
      guard length <= maxBytes else { throw .flood("a message of \(length) bytes") }
      return length
    }

    /// A message from its bytes, all of them and no more.
    ///
    /// Checked are the lengths, the padding, and the types of the fields that are used. Other fields
    /// are passed over, as the specification wants.
    /// - Throws: ``DBusError`` `malformed`, `flood`.
    init(parsing bytes: [UInt8]) throws(DBusError) {
      let length = try Self.length(head: bytes)
      guard length == bytes.count else {
        throw .malformed("a message of \(length) bytes in \(bytes.count)")
      }
      isBigEndian = try Self.isBigEndian(bytes)
      var reader = DBusReader(bytes, isBigEndian: isBigEndian, at: 1)
      kind = Kind(rawValue: try reader.byte())
      reader = DBusReader(bytes, isBigEndian: isBigEndian, at: 12)
      let end = Self.headBytes + Int(try reader.uint32())
      var fields = Fields()
      while reader.position < end {
        try fields.read(from: &reader)
        guard reader.position <= end else {
          throw .malformed("a header field goes beyond the header")
        }
      }
      try reader.align(to: 8)
      replySerial = fields.replySerial
      errorName = fields.errorName
      signature = fields.signature
      body = Array(bytes[reader.position...])
      guard body.isEmpty == signature.isEmpty else {
        throw .malformed("a body of \(body.count) bytes with signature \(quoted(signature))")
      }
    }

    private static func isBigEndian(_ bytes: [UInt8]) throws(DBusError) -> Bool {
      switch bytes.first {
      case UInt8(ascii: "l"): false
      case UInt8(ascii: "B"): true
      case let byte?: throw .malformed("a message that starts with byte \(byte)")
      case nil: throw .malformed("no bytes")
      }
    }

    /// The header fields that are used, each at its first place.
    private struct Fields {
      var replySerial: UInt32?
      var errorName: String?
      var signature = ""

      mutating func read(from reader: inout DBusReader) throws(DBusError) {
        try reader.align(to: 8)
        let code = try reader.byte()
        let type = try reader.signature()
        switch (code, type) {
        case (4, "s"): errorName = try reader.string()
        case (5, "u"): replySerial = try reader.uint32()
        case (8, "g"): signature = try reader.signature()
        case (4, _), (5, _), (8, _):
          throw .malformed("header field \(code) has type \(quoted(type))")
        default: try reader.skip(type)
        }
      }
    }
  }
#endif
