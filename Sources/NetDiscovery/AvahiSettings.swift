#if os(Linux)
  /// What `avahi-daemon.conf` says about publishing (`avahi-daemon.conf(5)`, section `[publish]`).
  ///
  /// Avahi gives its name over D-Bus whether it answers for it or not, and to find out otherwise it
  /// would ask the network.
  enum AvahiSettings {
    /// The setting by which Avahi answers for no name; nil where there is none.
    static func silencer(in text: [UInt8]) -> String? {
      var section = ""
      var isPublishing = true
      var publishesAddresses = true
      for line in text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
        let line = String(decoding: line, as: UTF8.self).lowercased()
          .drop { $0 == " " || $0 == "\t" }
        if line.first == "[" {
          section = String(line.dropFirst().prefix { $0 != "]" })
        }
        guard section == "publish", let sign = line.firstIndex(of: "=") else { continue }
        // As Avahi reads it, with no blank before the sign or behind it.
        let isYes = line[line.index(after: sign)...].first.map { "y1t".contains($0) } == true
        switch line[..<sign] {
        case "disable-publishing": isPublishing = !isYes
        case "publish-addresses": publishesAddresses = isYes
        default: break
        }
      }
      guard isPublishing else { return "disable-publishing=yes" }
      return publishesAddresses ? nil : "publish-addresses=no"
    }
  }
#endif
