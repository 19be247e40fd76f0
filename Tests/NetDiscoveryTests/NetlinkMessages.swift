#if os(Linux)
  /// Messages as the kernel sends them, for the tests of what reads them.
  enum KernelMessage {
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number) { Array($0) }
    }

    static func padded(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
      padded(bytes(UInt16(value.count + 4)) + bytes(type) + value)
    }

    static func attribute(_ type: UInt16, _ text: String) -> [UInt8] {
      attribute(type, Array(text.utf8) + [0])
    }

    static func message(_ type: UInt16, flags: UInt16 = 2, _ body: [UInt8]) -> [UInt8] {
      padded(
        bytes(UInt32(body.count + 16)) + bytes(type) + bytes(flags) + bytes(UInt32(1))
          + bytes(UInt32(77)) + body)
    }

    static func link(
      _ index: UInt32, _ name: String, hardware: UInt16 = 1, driver: String? = nil,
      address: [UInt8] = [2, 0xfc, 0, 0, 0, 1], flags: UInt32 = 0x1043
    ) -> [UInt8] {
      let head = [0, 0] + bytes(hardware) + bytes(index) + bytes(flags) + bytes(UInt32(0))
      let details = driver.map { attribute(18 | 0x8000, attribute(1, $0)) } ?? []
      return message(16, head + attribute(3, name) + attribute(1, address) + details)
    }

    static func address(
      _ index: UInt32, family: UInt8, address: [UInt8], local: [UInt8]? = nil, flags: UInt32? = nil,
      shortFlags: UInt8 = 0
    ) -> [UInt8] {
      let head = [family, 24, shortFlags, 0] + bytes(index)
      return message(
        20,
        head + attribute(1, address) + (local.map { attribute(2, $0) } ?? [])
          + (flags.map { attribute(8, bytes($0)) } ?? []))
    }

    /// A default route of the main table, with what a row of a table changes in it.
    struct Route {
      var family: UInt8 = 2
      var length: UInt8 = 0
      var sourceLength: UInt8 = 0
      var service: UInt8 = 0
      var table: UInt8 = 254
      var type: UInt8 = 1
      var flags: UInt32 = 0
      var longTable: UInt32?
      var interface: UInt32? = 7
      var metric: UInt32?
      var ways: [(flags: UInt8, interface: UInt32)] = []

      var bytes: [UInt8] {
        let head =
          [family, length, sourceLength, service, table, 3, 0, type] + KernelMessage.bytes(flags)
        var rest: [UInt8] = []
        func add(_ type: UInt16, _ number: UInt32?) {
          guard let number else { return }
          rest += attribute(type, KernelMessage.bytes(number))
        }
        add(15, longTable ?? UInt32(table))
        add(4, interface)
        add(6, metric)
        if !ways.isEmpty {
          rest += attribute(
            9,
            ways.flatMap { way in
              let gateway = attribute(5, [10, 0, 0, 1])
              return KernelMessage.bytes(UInt16(8 + gateway.count)) + [way.flags, 0]
                + KernelMessage.bytes(way.interface) + gateway
            })
        }
        return message(24, head + rest)
      }
    }

    static let done = message(3, bytes(Int32(0)))
  }
#endif
