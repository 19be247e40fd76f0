#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  /// The states of this machine's IPv6 addresses, from `/proc/net/if_inet6` at one moment.
  struct AddressStates: ~Copyable {
    private let table: [Key: InterfaceAddress.State]

    struct Key: Hashable {
      let address: IPv6Address
      let interface: String
    }

    init() { table = Self.parse(Self.readTable()) }

    /// Nothing where the system does not know the address, or has no such file.
    func state(of address: IPv6Address, on interface: String) -> InterfaceAddress.State {
      table[Key(address: address, interface: interface)] ?? []
    }

    /// The lines of `/proc/net/if_inet6`: address, index, prefix length, scope and flags in
    /// hexadecimal, name (Linux, `net/ipv6/addrconf.c`; flags of `linux/if_addr.h`). Others are
    /// passed over.
    static func parse(_ bytes: [UInt8]) -> [Key: InterfaceAddress.State] {
      var table: [Key: InterfaceAddress.State] = [:]
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        let fields = line.split(separator: UInt8(ascii: " ")).map {
          String(decoding: $0, as: UTF8.self)
        }
        guard fields.count == 6, fields[0].utf8.count == 32,
          let high = UInt64(fields[0].prefix(16), radix: 16),
          let low = UInt64(fields[0].suffix(16), radix: 16),
          let flags = UInt32(fields[4], radix: 16)
        else { continue }
        var state: InterfaceAddress.State = []
        if flags & 0x01 != 0 { state.insert(.temporary) }
        if flags & 0x20 != 0 { state.insert(.deprecated) }
        if flags & (0x40 | 0x08) != 0 { state.insert(.tentative) }
        table[Key(address: IPv6Address(high: high, low: low), interface: fields[5])] = state
      }
      return table
    }

    /// Up to a megabyte, some ten thousand addresses; empty where IPv6 is switched off.
    private static func readTable() -> [UInt8] {
      let file = open("/proc/net/if_inet6", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return [] }
      defer { close(file) }
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 16384)
      while bytes.count < 1 << 20 {
        let count = read(file, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        bytes += buffer.prefix(count)
      }
      return bytes
    }
  }
#endif
