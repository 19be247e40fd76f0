#if os(Linux)
  /// Where the system bus listens (D-Bus specification, "Server addresses" and "System message bus").
  enum DBusAddress {
    /// The paths to try where nothing else is said.
    static let defaultPaths = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"]

    /// The socket paths that `DBUS_SYSTEM_BUS_ADDRESS` names, else the default ones.
    ///
    /// Only `unix:path=…` counts. All other transports are passed over, since TCP could leave the
    /// machine and `unixexec` would start a program.
    static func systemBusPaths(_ variable: String?) -> [String] {
      let paths = variable.map(paths) ?? []
      return paths.isEmpty ? defaultPaths : paths
    }

    /// The socket paths of a list of addresses `transport:key=value,key=value`, `;` between them.
    static func paths(in list: String) -> [String] {
      list.prefix(maxBytes).split(separator: ";").compactMap { address in
        guard let colon = address.firstIndex(of: ":"), address[..<colon] == "unix" else {
          return nil
        }
        for pair in address[address.index(after: colon)...].split(separator: ",") {
          guard let sign = pair.firstIndex(of: "="), pair[..<sign] == "path" else { continue }
          return unescaped(pair[pair.index(after: sign)...])
        }
        return nil
      }
    }

    private static let maxBytes = 4096

    /// A value without its `%xx`; nil where it is empty, wrongly escaped or no path.
    private static func unescaped(_ value: Substring) -> String? {
      var bytes: [UInt8] = []
      var rest = value.utf8[...]
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          bytes.append(byte)
          continue
        }
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy(isHexDigit),
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(value)
        rest = rest.dropFirst(2)
      }
      guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else { return nil }
      return String(validating: bytes, as: UTF8.self)
    }
  }
#endif
