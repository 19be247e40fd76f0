#if os(Linux)
  import Testing

  @testable import NetDiscovery

  @Suite("Netlink")
  struct NetlinkTests {
    @Test("messages are cut at their lengths, and the last one is known")
    func messages() throws {
      let bytes =
        KernelMessage.message(16, [1, 2, 3]) + KernelMessage.message(20, flags: 0x12, [4])
        + KernelMessage.done
      let messages = Netlink.messages(in: bytes[...])
      #expect(messages.map(\.type) == [16, 20, 3])
      #expect(messages.map { Array($0.body) } == [[1, 2, 3], [4], [0, 0, 0, 0]])
      #expect(messages.map(\.endsAnswer) == [false, false, true])
      #expect(messages.map(\.isInterrupted) == [false, true, false])
      #expect(messages.map(\.errorCode) == [nil, nil, nil])
    }

    @Test(
      "a last message may carry the system's reason",
      arguments: [
        (2, -1, 1), (2, 0, nil), (3, -95, 95), (3, 0, nil), (3, 5, nil), (2, Int32.min, nil),
        (16, -1, nil),
      ] as [(UInt16, Int32, Int32?)])
    func errorCode(type: UInt16, number: Int32, code: Int32?) throws {
      let bytes = KernelMessage.message(type, KernelMessage.bytes(number))
      #expect(try #require(Netlink.messages(in: bytes[...]).first).errorCode == code)
    }

    @Test("attributes lose the flags of their types")
    func attributes() {
      let bytes =
        KernelMessage.attribute(18 | 0x8000, [1, 2, 3]) + KernelMessage.attribute(3, "eth0")
      let attributes = Netlink.attributes(in: bytes[...])
      #expect(attributes.mapValues(Array.init) == [18: [1, 2, 3], 3: Array("eth0\0".utf8)])
      #expect(Netlink.text(attributes[3]) == "eth0")
    }

    struct WrongLength: NamedRow {
      let name: String
      let length: UInt16
    }

    @Test(
      "what follows a wrong length is passed over",
      arguments: [
        WrongLength(name: "zero", length: 0), WrongLength(name: "less than a head", length: 3),
        WrongLength(name: "one more than there is", length: 9),
        WrongLength(name: "the largest", length: .max),
      ])
    func wrongLength(_ row: WrongLength) {
      let good = KernelMessage.attribute(1, [9, 9, 9, 9])
      let bad = KernelMessage.bytes(row.length) + Array(good.dropFirst(2))
      #expect(Netlink.attributes(in: (good + bad)[...]).mapValues(Array.init) == [1: [9, 9, 9, 9]])
      let message = KernelMessage.message(16, [])
      let badMessage = KernelMessage.bytes(UInt32(row.length) + 8) + message.dropFirst(4)
      #expect(Netlink.messages(in: (message + badMessage)[...]).count == 1)
    }

    @Test("no bytes bring the readers down, and none make more than they have room for")
    func mutations() {
      var generator = SeededGenerator(state: 5)
      let good =
        KernelMessage.link(4, "eth0", driver: "veth")
        + KernelMessage.address(4, family: 2, address: [10, 0, 0, 1], flags: 0x80)
        + KernelMessage.Route(interface: nil, metric: 5, ways: [(0, 4), (1, 5)]).bytes
        + KernelMessage.done
      for _ in 0..<20000 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
            in: 0...255, using: &generator)
        }
        bytes.removeLast(Int.random(in: 0...bytes.count / 4, using: &generator))
        let count =
          Link.parse(bytes).count + LinkAddress.parse(bytes).count
          + Route.parseDefaults(bytes).count
        #expect(count <= bytes.count / 16)
      }
    }

    @Test("a request has its length in front and asks for the whole table")
    func request() {
      let links = Netlink.Request.links.bytes
      #expect(links.count == 40)
      #expect(Netlink.messages(in: links[...]).map(\.type) == [18])
      #expect(Netlink.Request.addresses.bytes.count == 24)
      #expect(Netlink.Request.routes(.ipv4).bytes[16] == 2)
      #expect(Netlink.Request.routes(.ipv6).bytes[16] == 10)
    }

    @Test("a refusal is told with the system's reason")
    func refusal() {
      let error = #expect(throws: DiscoveryError(.interfaces, detail: "")) {
        // There is no such type of message.
        try NetlinkSocket.dump(Netlink.Request(type: 0x7fff, body: [0, 0, 0, 0]))
      }
      #expect(error?.detail.hasPrefix("cannot list the interfaces: ") == true)
    }

    @Test("this machine's tables end, and hold the loopback interface")
    func dump() throws {
      let links = Link.parse(try NetlinkSocket.dump(.links))
      let loopback = try #require(links.first { $0.name == "lo" })
      #expect(loopback.hardware == 772)
      #expect(loopback.driver == nil)
    }
  }
#endif
