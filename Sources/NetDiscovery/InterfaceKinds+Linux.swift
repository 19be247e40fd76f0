#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  extension Interface.Kind {
    /// What a link is by its driver, else by its hardware (`linux/if_arp.h`); nil where the folder of a network card in `/sys/class/net` is another
    /// namespace's, and so cannot tell Ethernet from Wi-Fi.
    init?(_ link: Link, sysfs: String = "/sys/class/net") {
      if let driver = link.driver, driver != "virt_wifi" {
        self = Self.drivers[driver] ?? .other
        return
      }
      switch link.hardware {
      // ARPHRD_ETHER
      case 1:
        let folder = sysfs + "/" + link.name
        guard Self.isFolder(folder, of: link) else { return nil }
        let isWireless = ["phy80211", "wireless"].contains { access("\(folder)/\($0)", F_OK) == 0 }
        self = isWireless ? .wireless : .ethernet
      case 772: self = .loopback
      // Bare 802.11 with its three kinds of headers.
      case 801...803: self = .wireless
      // PPP, IPIP, IP6IP6, SIT, GRE, IP6GRE, and no header at all.
      case 512, 768, 769, 776, 778, 823, 65534: self = .tunnel
      default: self = .other
      }
    }

    /// What the drivers of virtual interfaces make. Of those that are not named, some are no network
    /// (dummy, ifb), and what others are depends on what lies below (macvlan, ipvlan).
    private static let drivers: [String: Self] = {
      var drivers: [String: Self] = [
        "bridge": .bridge, "bond": .bond, "team": .bond, "vlan": .vlan, "veth": .veth,
        "netkit": .veth,
      ]
      for name in [
        "tun", "wireguard", "ovpn", "ppp", "ipip", "sit", "ip6tnl", "gre", "gretap", "ip6gre",
        "ip6gretap", "erspan", "ip6erspan", "vti", "vti6", "xfrm", "vxlan", "geneve", "gtp",
        "bareudp", "amt",
      ] {
        drivers[name] = .tunnel
      }
      return drivers
    }()

    /// Whether a folder of sysfs says of itself what the kernel said of the link: the index and the
    /// hardware address.
    private static func isFolder(_ folder: String, of link: Link) -> Bool {
      guard !link.name.contains("/"), link.name != ".", link.name != ".." else { return false }
      let address = link.address.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      return line(of: folder + "/ifindex") == String(link.index)
        && line(of: folder + "/address") == address.joined(separator: ":")
    }

    private static func line(of path: String) -> String {
      let bytes = fileStart(path, bytes: 4096)
      return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }
#endif
