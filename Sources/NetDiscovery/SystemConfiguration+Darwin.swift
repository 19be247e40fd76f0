#if canImport(Darwin)
  import CoreFoundation
  import SystemConfiguration

  extension Interface.DefaultRoutes {
    /// The interface of each family's default route as the system configuration has it: the text
    /// `PrimaryInterface` of the dictionary `State:/Network/Global/IPv4` or `…/IPv6`
    /// (SystemConfiguration, `SCSchemaDefinitions.h`).
    static func interfacesOfThisSystem() -> [(family: Self, interface: String)] {
      [(Self.ipv4, "IPv4"), (Self.ipv6, "IPv6")].compactMap { family, name in
        primaryInterface("State:/Network/Global/" + name).map { (family, $0) }
      }
    }

    private static func primaryInterface(_ path: String) -> String? {
      let utf8 = CFStringBuiltInEncodings.UTF8.rawValue
      guard let path = CFStringCreateWithCString(nil, path, utf8),
        let key = CFStringCreateWithCString(nil, "PrimaryInterface", utf8),
        let value = SCDynamicStoreCopyValue(nil, path),
        CFGetTypeID(value) == CFDictionaryGetTypeID()
      else { return nil }
      let dictionary = unsafeDowncast(value, to: CFDictionary.self)
      guard let found = CFDictionaryGetValue(dictionary, Unmanaged.passUnretained(key).toOpaque())
      else { return nil }
      let name = Unmanaged<AnyObject>.fromOpaque(found).takeUnretainedValue()
      guard CFGetTypeID(name) == CFStringGetTypeID() else { return nil }
      return String(copying: unsafeDowncast(name, to: CFString.self))
    }
  }

  extension String {
    /// A text of at most 255 bytes; nil for a longer one.
    init?(copying string: CFString) {
      var buffer = [UInt8](repeating: 0, count: 256)
      let isCopied = buffer.withUnsafeMutableBytes { bytes in
        CFStringGetCString(
          string, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
          CFStringBuiltInEncodings.UTF8.rawValue)
      }
      guard isCopied else { return nil }
      self.init(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
#endif
