#if os(Linux)
  import Testing

  @testable import NetDiscovery

  struct MessageRow: NamedRow {
    let name: String
    let bytes: [UInt8]
    var value: String?
    /// Nil for a message that is well formed.
    var problem: String?
  }

  @Suite("DBusMessage")
  struct DBusMessageTests {
    static let good = DBusBytes.answer(to: 5, "my-mac.local")

    static func damaged(_ damage: (inout [UInt8]) -> Void) -> [UInt8] {
      var bytes = good
      damage(&bytes)
      return bytes
    }

    static func message(_ fields: [DBusBytes.Field], body: String = "my-mac") -> [UInt8] {
      DBusBytes.message(
        kind: 2, fields: [.number(5, 5), .signature("s")] + fields, body: { $0.text(body) })
    }

    /// A length of four bytes, little-endian, in place of what stands at an offset.
    static func length(_ value: UInt32, at offset: Int) -> [UInt8] {
      damaged { bytes in
        for index in 0..<4 { bytes[offset + index] = UInt8(value >> (8 * UInt32(index)) & 0xff) }
      }
    }

    /// A message that ends with its fields, of which there are so many bytes.
    static func cut(_ message: [UInt8], fields: UInt8) -> [UInt8] {
      var bytes = Array(message.prefix(24))
      bytes[4] = 0
      bytes[12] = fields
      return bytes
    }

    static let rows: [MessageRow] = [
      .init(name: "little-endian", bytes: good, value: "my-mac.local"),
      .init(
        name: "big-endian", bytes: DBusBytes.answer(to: 5, "my-mac.local", isBigEndian: true),
        value: "my-mac.local"),
      .init(name: "an unknown field", bytes: message([.text(99, "s", "new")]), value: "my-mac"),
      .init(
        name: "an unknown field of a path", bytes: message([.text(10, "o", "/")]), value: "my-mac"),
      .init(name: "an unknown number", bytes: message([.number(77, 5)]), value: "my-mac"),
      .init(
        name: "letters that are not ASCII", bytes: message([], body: "bücher"), value: "bücher"),
      .init(name: "an empty text", bytes: message([], body: ""), value: ""),
      .init(
        name: "another byte order", bytes: damaged { $0[0] = 0x6d }, problem: "starts with byte"),
      .init(name: "the wrong byte order", bytes: damaged { $0[0] = 0x42 }, problem: "bytes"),
      .init(name: "version 2", bytes: damaged { $0[3] = 2 }, problem: "version 2"),
      .init(name: "a body of 4 GiB", bytes: length(.max, at: 4), problem: "a message of 4294967"),
      .init(name: "a body one too long", bytes: length(18, at: 4), problem: "a message of"),
      .init(name: "a body one too short", bytes: length(16, at: 4), problem: "a message of"),
      .init(name: "fields of 4 GiB", bytes: length(.max, at: 12), problem: "a message of 4294967"),
      .init(
        name: "both of 4 GiB", bytes: [UInt8](repeating: 0xff, count: 64), problem: "starts with"),
      .init(
        name: "a field cut off", bytes: cut(DBusBytes.answer(to: 5, "a"), fields: 7),
        problem: "a header field goes beyond the header"),
      .init(name: "a byte behind it", bytes: good + [0], problem: "a message of"),
      .init(
        name: "padding that is not zero", bytes: damaged { $0[24 + 7] = 1 }, problem: "padding"),
      .init(
        name: "a reply serial that is a text",
        bytes: DBusBytes.message(kind: 2, fields: [.text(5, "s", "5")]), problem: "has type 's'"),
      .init(
        name: "a field of an array", bytes: message([.text(99, "as", "")]), problem: "type 'as'"),
      .init(
        name: "a field of nested variants", bytes: message([.text(99, "v", "")]),
        problem: "type 'v'"),
      .init(
        name: "a body without signature",
        bytes: DBusBytes.message(kind: 2, fields: [.number(5, 5)], body: { $0.text("a") }),
        problem: "a body of"),
      .init(
        name: "a signature without body",
        bytes: DBusBytes.message(kind: 2, fields: [.number(5, 5), .signature("s")]),
        problem: "a body of"),
    ]

    @Test("is read as the specification says, or refused", arguments: rows)
    func parse(_ row: MessageRow) throws {
      do throws(DBusError) {
        let message = try DBusMessage(parsing: row.bytes)
        #expect(row.problem == nil)
        #expect(message.replySerial == 5)
        #expect(message.kind == .methodReturn)
        #expect(message.signature == "s")
        var values = message.values
        #expect(try values.string() == row.value)
        #expect(values.remaining == 0)
      } catch {
        let problem = try #require(row.problem, "\(error)")
        #expect(error.predicate.contains(problem), "\(error)")
      }
    }

    @Test("an error has its name, a signal no reply serial, an unknown kind none")
    func kinds() throws {
      let error = try DBusMessage(parsing: DBusBytes.error(to: 9, "a.b.C"))
      #expect(error.kind == .error && error.errorName == "a.b.C" && error.replySerial == 9)
      let signal = try DBusMessage(parsing: DBusBytes.signal)
      #expect(signal.kind == .signal && signal.replySerial == nil)
      let other = try DBusMessage(parsing: DBusBytes.message(kind: 200, fields: [.number(5, 1)]))
      #expect(other.kind == nil && other.replySerial == 1)
    }

    @Test("cut off at any byte it is refused", arguments: [false, true])
    func truncated(isBigEndian: Bool) {
      let bytes = DBusBytes.answer(to: 5, "my-mac.local", isBigEndian: isBigEndian)
      for count in 0..<bytes.count {
        #expect(throws: DBusError.self) { try DBusMessage(parsing: Array(bytes.prefix(count))) }
      }
    }

    @Test("no change of a byte makes it crash or read beyond its end")
    func mutated() {
      var generator = SeededGenerator(state: 5)
      var accepted = 0
      for round in 0..<20_000 {
        var bytes = round.isMultiple(of: 2) ? Self.good : DBusBytes.signal
        for _ in 0...Int.random(in: 0..<4, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
            in: 0...255, using: &generator)
        }
        guard let message = try? DBusMessage(parsing: bytes) else { continue }
        accepted += 1
        var values = message.values
        _ = try? values.string()
        #expect(values.position <= message.body.count)
      }
      #expect(accepted > 0)
    }

    @Test("the longest message that is read has 65536 bytes")
    func limit() throws {
      let overhead = Self.message([], body: "").count
      let longest = Self.message([], body: String(repeating: "a", count: (1 << 16) - overhead))
      #expect(longest.count == DBusMessage.maxBytes)
      _ = try DBusMessage(parsing: longest)
      let longer = Self.message([], body: String(repeating: "a", count: (1 << 16) - overhead + 1))
      #expect(throws: DBusError.flood("a message of 65537 bytes")) {
        try DBusMessage(parsing: longer)
      }
    }
  }

  @Suite("DBusCall")
  struct DBusCallTests {
    @Test("Hello is the bytes of the specification's grammar")
    func hello() {
      let wanted = DBusBytes.message(
        kind: 1,
        fields: [
          .text(1, "o", "/org/freedesktop/DBus"), .text(6, "s", "org.freedesktop.DBus"),
          .text(2, "s", "org.freedesktop.DBus"), .text(3, "s", "Hello"),
        ])
      var bytes = DBusCall.hello.message(serial: 77)
      // NO_AUTO_START, where the builder has NO_REPLY_EXPECTED.
      #expect(bytes[2] == 2)
      bytes[2] = wanted[2]
      #expect(bytes == wanted)
    }
  }

  @Suite("DBusReader")
  struct DBusReaderTests {
    @Test("every step beyond the end is refused", arguments: [false, true])
    func end(isBigEndian: Bool) {
      for count in 0..<4 {
        var reader = DBusReader([UInt8](repeating: 0, count: count), isBigEndian: isBigEndian)
        #expect(throws: DBusError.self) { try reader.uint32() }
      }
      var empty = DBusReader([], isBigEndian: isBigEndian)
      #expect(throws: DBusError.self) { try empty.byte() }
      #expect(throws: DBusError.self) { try empty.signature() }
    }

    @Test(
      "a text must be UTF-8 and end with the only zero",
      arguments: [
        [2, 0, 0, 0, 97, 98], [2, 0, 0, 0, 97, 98, 99], [2, 0, 0, 0, 97, 0, 0],
        [2, 0, 0, 0, 0xc3, 0x28, 0], [0xff, 0xff, 0xff, 0xff, 97, 0], [0xff, 0xff, 0xff, 0x7f, 0],
        [0, 0, 0, 0], [1, 0, 0, 0, 0],
      ])
    func text(_ bytes: [UInt8]) {
      var reader = DBusReader(bytes, isBigEndian: false)
      #expect(throws: DBusError.self) { try reader.string() }
    }

    @Test("negative numbers keep their sign")
    func sign() throws {
      var reader = DBusReader([0xff, 0xff, 0xff, 0xfe], isBigEndian: true)
      #expect(try reader.int32() == -2)
    }

    @Test(
      "basic types are passed over with their alignment",
      arguments: [
        ("y", 2), ("n", 4), ("q", 4), ("b", 8), ("i", 8), ("u", 8), ("h", 8), ("x", 16), ("t", 16),
        ("d", 16), ("s", 9), ("o", 9), ("g", 3),
      ])
    func skip(_ type: String, _ position: Int) throws {
      var reader = DBusReader([UInt8](repeating: 0, count: 16), isBigEndian: false, at: 1)
      try reader.skip(type)
      #expect(reader.position == position)
    }
  }
#endif
