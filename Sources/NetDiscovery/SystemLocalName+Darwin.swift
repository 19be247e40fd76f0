#if canImport(Darwin)
  import CoreFoundation
  import SystemConfiguration

  /// The name that mDNSResponder uses, from the system configuration.
  public struct SystemLocalName: LocalNameSource {
    public init() {}

    /// `SCDynamicStoreCopyLocalHostName`: the label as it is after a conflict (`my-mac-2`). Neither
    /// the computer's name nor `gethostname` is it.
    public func localName() throws(DiscoveryError) -> FoundLocalName? {
      guard let name = SCDynamicStoreCopyLocalHostName(nil) else { return nil }
      var buffer = [UInt8](repeating: 0, count: 256)
      let isCopied = buffer.withUnsafeMutableBytes { bytes in
        CFStringGetCString(
          name, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
          CFStringBuiltInEncodings.UTF8.rawValue)
      }
      return isCopied ? .answered(String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)) : nil
    }
  }
#endif
