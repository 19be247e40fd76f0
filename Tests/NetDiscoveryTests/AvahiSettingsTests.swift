#if os(Linux)
  import Testing

  @testable import NetDiscovery

  struct AvahiSettingsRow: NamedRow {
    let name: String
    let text: String
    let silencer: String?

    init(_ name: String, _ text: String, _ silencer: String?) {
      self.name = name
      self.text = text
      self.silencer = silencer
    }
  }

  @Suite("AvahiSettings")
  struct AvahiSettingsTests {
    static let rows: [AvahiSettingsRow] = [
      .init("nothing", "", nil), .init("an empty section", "[publish]\n", nil),
      .init("no addresses", "[publish]\npublish-addresses=no\n", "publish-addresses=no"),
      .init("addresses", "[publish]\npublish-addresses=yes\n", nil),
      .init("addresses by a number", "[publish]\npublish-addresses=1", nil),
      .init("addresses that are true", "[publish]\npublish-addresses=true", nil),
      .init("no publishing", "[publish]\ndisable-publishing=yes\n", "disable-publishing=yes"),
      .init("publishing", "[publish]\ndisable-publishing=no\n", nil),
      .init(
        "both", "[publish]\npublish-addresses=no\ndisable-publishing=yes", "disable-publishing=yes"),
      .init("a comment", "[publish]\n#publish-addresses=no\n%publish-addresses=no\n", nil),
      .init("another section", "[server]\npublish-addresses=no\n", nil),
      .init("a section behind it", "[publish]\n[reflector]\npublish-addresses=no", nil),
      .init("no section", "publish-addresses=no", nil),
      .init("the last one counts", "[publish]\npublish-addresses=no\npublish-addresses=yes", nil),
      .init("upper case", "[PUBLISH]\r\n \tPublish-Addresses=NO\r\n", "publish-addresses=no"),
      .init("a blank before the sign", "[publish]\npublish-addresses =no", nil),
      .init("a blank behind it", "[publish]\ndisable-publishing= yes", nil),
      .init("no value", "[publish]\npublish-addresses=", "publish-addresses=no"),
      .init("no sign", "[publish]\npublish-addresses", nil),
    ]

    @Test("what keeps Avahi from answering is found", arguments: rows)
    func silencer(_ row: AvahiSettingsRow) {
      #expect(AvahiSettings.silencer(in: Array(row.text.utf8)) == row.silencer)
    }

    @Test("bytes of any kind are read")
    func bytes() {
      var generator = SeededGenerator(state: 9)
      for _ in 0..<200 {
        let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(
          AvahiSettings.silencer(in: noise + Array("\n[publish]\npublish-addresses=no".utf8))
            == "publish-addresses=no")
      }
    }
  }
#endif
