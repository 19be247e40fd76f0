#if canImport(Darwin)
  import CoreFoundation
  import SystemConfiguration

  /// The name that mDNSResponder uses, from the system configuration.
  public struct SystemLocalName: LocalNameSource {
    public init() {}

    /// `SCDynamicStoreCopyLocalHostName`: the label as it is after a conflict (`my-mac-2`). Neither
    /// the computer's name nor `gethostname` is it.
    public func localName() throws(DiscoveryError) -> FoundLocalName? {
      SCDynamicStoreCopyLocalHostName(nil).flatMap(String.init(copying:)).map(
        FoundLocalName.answered)
    }
  }
#endif
