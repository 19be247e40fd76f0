#if os(Linux)
  import Testing

  @testable import NetDiscovery

  struct BusAddressRow: NamedRow {
    let name: String
    let list: String
    let paths: [String]

    init(_ name: String, _ list: String, _ paths: String...) {
      self.name = name
      self.list = list
      self.paths = paths
    }
  }

  @Suite("DBusAddress")
  struct DBusAddressTests {
    static let rows: [BusAddressRow] = [
      .init("a path", "unix:path=/run/bus", "/run/bus"),
      .init("a key before it", "unix:guid=00ff,path=/run/bus", "/run/bus"),
      .init("a key behind it", "unix:path=/run/bus,guid=00ff", "/run/bus"),
      .init("two addresses", "unix:path=/a;unix:path=/b", "/a", "/b"),
      .init("escaped bytes", "unix:path=/run/a%20b%2fc%3B%c3%bc", "/run/a b/c;ü"),
      .init("an escaped percent sign", "unix:path=/a%2541", "/a%41"),
      .init("an equals sign in it", "unix:path=/a=b", "/a=b"),
      .init("TCP first", "tcp:host=example.com,port=1;unix:path=/a", "/a"),
      .init("TCP with a path", "tcp:path=/a"), .init("a program", "unixexec:path=/bin/sh"),
      .init("nonce-TCP", "nonce-tcp:host=localhost,noncefile=/a"),
      .init("launchd", "launchd:env=DBUS_LAUNCHD"), .init("autolaunch", "autolaunch:"),
      .init("an abstract socket", "unix:abstract=/a"), .init("a folder", "unix:dir=/tmp"),
      .init("upper case", "UNIX:path=/a"), .init("nothing", ""), .init("semicolons", ";;;"),
      .init("no colon", "unix"), .init("no value", "unix:path"),
      .init("an empty path", "unix:path="),
      .init("a relative path", "unix:path=a"), .init("half an escape", "unix:path=/a%2"),
      .init("an escape of no digits", "unix:path=/a%zz"),
      .init("an escape with a sign", "unix:path=/a%+1"),
      .init("an escaped zero", "unix:path=/a%00b"), .init("no UTF-8", "unix:path=/a%ff"),
      .init("very long", String(repeating: "x", count: 100_000) + ";unix:path=/a"),
    ]

    @Test("only paths of unix sockets are taken", arguments: rows)
    func parse(_ row: BusAddressRow) {
      #expect(DBusAddress.paths(in: row.list) == row.paths)
    }

    @Test("without one the usual places count")
    func fallback() {
      #expect(DBusAddress.systemBusPaths(nil) == DBusAddress.defaultPaths)
      #expect(DBusAddress.systemBusPaths("tcp:host=a,port=1") == DBusAddress.defaultPaths)
      #expect(DBusAddress.systemBusPaths("unix:path=/a") == ["/a"])
      #expect(DBusAddress.defaultPaths.first == "/run/dbus/system_bus_socket")
    }
  }
#endif
