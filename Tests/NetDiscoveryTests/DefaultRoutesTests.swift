#if os(Linux)
  import Testing

  @testable import NetDiscovery

  @Suite("Route")
  struct DefaultRoutesTests {
    struct Row: NamedRow {
      let name: String
      let interface: UInt32?
      var metric: UInt32 = 0
      let bytes: [UInt8]

      init(
        _ name: String, interface: UInt32? = nil, metric: UInt32 = 0,
        _ change: (inout KernelMessage.Route) -> Void
      ) {
        self.name = name
        self.interface = interface
        self.metric = metric
        var route = KernelMessage.Route()
        change(&route)
        bytes = route.bytes
      }
    }

    static let rows: [Row] = [
      Row("plain", interface: 7) { _ in },
      Row("with a metric", interface: 7, metric: 600) { $0.metric = 600 },
      Row("IPv6", interface: 7, metric: 1024) {
        $0.family = 10
        $0.metric = 1024
      },
      Row("of a network") { $0.length = 24 },
      Row("of one half of all addresses") { $0.length = 1 },
      Row("for one source") { $0.sourceLength = 64 },
      Row("for one service") { $0.service = 4 },
      Row("of another table") { $0.table = 52 },
      Row("of a table beyond 255") {
        $0.table = 252
        $0.longTable = 51820
      },
      Row("the local table") { $0.table = 255 },
      Row("unreachable") { $0.type = 7 },
      Row("blackhole") { $0.type = 6 },
      Row("dead") { $0.flags = 1 },
      Row("without carrier") { $0.flags = 16 },
      Row("from the cache") { $0.flags = 0x200 },
      Row("without interface") { $0.interface = nil },
      Row("with several ways", interface: 8) {
        $0.interface = nil
        $0.ways = [(0, 8), (0, 9)]
      },
      Row("with several ways, the first dead", interface: 9) {
        $0.interface = nil
        $0.ways = [(1, 8), (16, 6), (0, 9)]
      },
      Row("with several ways, all dead") {
        $0.interface = nil
        $0.ways = [(1, 8)]
      },
    ]

    @Test("a default route of the main table counts where it leads somewhere", arguments: rows)
    func parse(_ row: Row) {
      let found = Route.parseDefaults(row.bytes + KernelMessage.done)
      #expect(found.map(\.interface) == [row.interface].compactMap { $0 })
      #expect(found.allSatisfy { $0.metric == row.metric })
    }

    @Test("a cut route is passed over or lacks what was cut, at every length")
    func cut() {
      let whole = KernelMessage.Route(interface: nil, metric: 5, ways: [(1, 3), (0, 4)]).bytes
      for length in 4..<whole.count {
        let found = Route.parseDefaults(
          KernelMessage.bytes(UInt32(length)) + whole[4..<length])
        #expect(found.allSatisfy { $0.interface == 4 || $0.interface == 3 }, "\(length)")
      }
      #expect(Route.parseDefaults(whole).map(\.interface) == [4])
    }

    @Test("the lowest metric wins, of equal ones the first, and only what is asked for")
    func best() {
      let routes = [(4, 200), (5, 100), (6, 100), (1, 0)].map {
        Route(interface: $0, metric: $1)
      }
      #expect(routes.best(of: [4, 5, 6]) == 5)
      #expect(routes.best(of: [4, 6]) == 6)
      #expect(routes.best(of: [4, 5, 6, 1]) == 1)
      #expect(routes.best(of: [9]) == nil)
      #expect([Route]().best(of: [4]) == nil)
    }
  }
#endif
