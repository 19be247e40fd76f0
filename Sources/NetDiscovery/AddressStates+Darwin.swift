#if canImport(Darwin)
  import Darwin

  /// The states of this machine's IPv6 addresses, asked of the kernel one by one.
  struct AddressStates: ~Copyable {
    private let socket = Darwin.socket(AF_INET6, SOCK_DGRAM, 0)

    deinit {
      if socket >= 0 { close(socket) }
    }

    /// `SIOCGIFAFLAG_IN6` of `netinet6/in6_var.h`: the request is `struct in6_ifreq`, 288 bytes, a
    /// name of 16 and a union that holds the address before and the flags after. Swift imports
    /// neither. Nothing where the kernel does not know the address.
    func state(of address: IPv6Address, on interface: String) -> InterfaceAddress.State {
      guard socket >= 0, interface.utf8.count < 16 else { return [] }
      var request = [UInt8](repeating: 0, count: 288)
      for (index, byte) in interface.utf8.enumerated() { request[index] = byte }
      var socketAddress = sockaddr_in6()
      socketAddress.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
      socketAddress.sin6_family = sa_family_t(AF_INET6)
      withUnsafeMutableBytes(of: &socketAddress.sin6_addr) { bytes in
        for (index, group) in address.groups.enumerated() {
          bytes[2 * index] = UInt8(group >> 8)
          bytes[2 * index + 1] = UInt8(group & 0xff)
        }
      }
      let flags: UInt32? = request.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: socketAddress, toByteOffset: 16, as: sockaddr_in6.self)
        guard let base = bytes.baseAddress, ioctl(socket, 0xc120_6949, base) == 0 else {
          return nil
        }
        return bytes.load(fromByteOffset: 16, as: UInt32.self)
      }
      guard let flags else { return [] }
      var state: InterfaceAddress.State = []
      if flags & 0x80 != 0 { state.insert(.temporary) }
      if flags & 0x10 != 0 { state.insert(.deprecated) }
      if flags & (0x02 | 0x04) != 0 { state.insert(.tentative) }
      return state
    }
  }
#endif
