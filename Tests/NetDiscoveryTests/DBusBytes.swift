#if os(Linux)
  /// Messages as a bus sends them, made without the code under test.
  struct DBusBytes {
    var isBigEndian = false
    var bytes: [UInt8] = []

    enum Field {
      case text(UInt8, String, String)
      case number(UInt8, UInt32)
      case signature(String)
    }

    mutating func pad(_ boundary: Int) {
      while !bytes.count.isMultiple(of: boundary) { bytes.append(0) }
    }

    mutating func number(_ value: UInt32) {
      pad(4)
      let little = (0..<4).map { UInt8(value >> (8 * UInt32($0)) & 0xff) }
      bytes += isBigEndian ? little.reversed() : little
    }

    mutating func text(_ value: String) {
      number(UInt32(value.utf8.count))
      bytes += Array(value.utf8) + [0]
    }

    mutating func signature(_ value: String) {
      bytes += [UInt8(value.utf8.count)] + Array(value.utf8) + [0]
    }

    /// A whole message; `kind` 2 answers, 3 is an error, 4 a signal.
    static func message(
      kind: UInt8, fields: [Field], body: (inout DBusBytes) -> Void = { _ in },
      isBigEndian: Bool = false
    ) -> [UInt8] {
      var content = DBusBytes(isBigEndian: isBigEndian)
      body(&content)
      var header = DBusBytes(isBigEndian: isBigEndian)
      for field in fields {
        header.pad(8)
        switch field {
        case .text(let code, let type, let text):
          header.bytes.append(code)
          header.signature(type)
          header.text(text)
        case .number(let code, let number):
          header.bytes.append(code)
          header.signature("u")
          header.number(number)
        case .signature(let signature):
          header.bytes.append(8)
          header.signature("g")
          header.signature(signature)
        }
      }
      var message = DBusBytes(isBigEndian: isBigEndian)
      message.bytes = [UInt8(ascii: isBigEndian ? "B" : "l"), kind, 1, 1]
      message.number(UInt32(content.bytes.count))
      message.number(77)
      message.number(UInt32(header.bytes.count))
      message.bytes += header.bytes
      message.pad(8)
      return message.bytes + content.bytes
    }

    /// The answer to a call, with one string or one number.
    static func answer(to serial: UInt32, _ text: String, isBigEndian: Bool = false) -> [UInt8] {
      message(
        kind: 2, fields: [.number(5, serial), .signature("s"), .text(7, "s", ":1.5")],
        body: { $0.text(text) }, isBigEndian: isBigEndian)
    }

    static func answer(
      to serial: UInt32, number: Int32, type: String = "i", isBigEndian: Bool = false
    ) -> [UInt8] {
      message(
        kind: 2, fields: [.text(6, "s", ":1.9"), .number(5, serial), .signature(type)],
        body: { $0.number(UInt32(bitPattern: number)) }, isBigEndian: isBigEndian)
    }

    static func error(to serial: UInt32, _ name: String) -> [UInt8] {
      message(
        kind: 3, fields: [.number(5, serial), .text(4, "s", name), .signature("s")],
        body: { $0.text("words for people") })
    }

    static let signal = message(
      kind: 4,
      fields: [
        .text(1, "o", "/org/freedesktop/DBus"), .text(2, "s", "org.freedesktop.DBus"),
        .text(3, "s", "NameAcquired"), .signature("s"),
      ],
      body: { $0.text(":1.9") })
  }
#endif
