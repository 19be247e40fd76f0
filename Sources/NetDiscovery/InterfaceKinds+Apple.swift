extension Interface.Kind {
  /// What an interface of an Apple system is by the driver's name before its number; nil for a name
  /// that is not known.
  ///
  /// `en` is Ethernet and Wi-Fi alike, which the name does not tell apart, and so says neither.
  init?(appleName name: String) {
    let digits = name.reversed().prefix { ("0"..."9").contains($0) }.count
    guard digits > 0, let kind = Self.appleDrivers[String(name.dropLast(digits))] else {
      return nil
    }
    self = kind
  }

  /// The names in `ifconfig` of macOS and iOS: AWDL and its low-latency companion, the coprocessors'
  /// links, the access point of Internet Sharing, virtual machines' networks.
  private static let appleDrivers: [String: Self] = [
    "lo": .loopback, "bridge": .bridge, "bond": .bond, "vlan": .vlan, "utun": .tunnel,
    "ipsec": .tunnel, "ppp": .tunnel, "gif": .tunnel, "stf": .tunnel, "tun": .tunnel,
    "tap": .tunnel, "feth": .veth, "awdl": .peerToPeer, "llw": .peerToPeer, "anpi": .other,
    "ap": .other, "vmenet": .other, "vmnet": .other, "pktap": .other, "iptap": .other,
  ]
}
