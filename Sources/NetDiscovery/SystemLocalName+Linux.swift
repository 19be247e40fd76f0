#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  /// The host's name, where Avahi is there to answer for it.
  public struct SystemLocalName: LocalNameSource {
    public init() {}

    /// `gethostname(2)`, whose first label Avahi takes too. After a conflict Avahi answers to another
    /// name, which this does not see.
    public func localName() throws(DiscoveryError) -> FoundLocalName? {
      var buffer = [CChar](repeating: 0, count: 256)
      guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
      let name = String(
        decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return access("/run/avahi-daemon/socket", F_OK) == 0 ? .answered(name) : .unanswered(name)
    }
  }
#endif
