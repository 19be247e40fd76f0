#if canImport(Darwin)
  import Darwin

  extension TailscaleLocalAPI {
    /// Where Tailscale's daemon listens on this system: the socket of the open-source daemon
    /// (Tailscale, `paths.DefaultTailscaledSocket`), then the port of the app from Tailscale's own
    /// site. The App Store's app tells its port only to its own command, which is asked later.
    static func systemEndpoints() -> [Endpoint] {
      [.socket("/var/run/tailscaled.socket")] + [appEndpoint()].compactMap { $0 }
    }

    /// The app's port is the target of the link `ipnport`; the password is in a file named after it
    /// that members of the group admin can read (Tailscale, `safesocket/safesocket_darwin.go`). Both
    /// stay when the app ends. Nil where there is none, or it may not be known.
    private static func appEndpoint() -> Endpoint? {
      let folder = "/Library/Tailscale"
      var buffer = [UInt8](repeating: 0, count: 16)
      let count = buffer.withUnsafeMutableBytes { bytes in
        readlink(
          folder + "/ipnport", bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
      }
      guard count > 0, let port = UInt16(String(decoding: buffer.prefix(count), as: UTF8.self)),
        port > 0, let word = password(at: "\(folder)/sameuserproof-\(port)")
      else { return nil }
      return .loopback(port: port, password: word)
    }

    private static func password(at path: String) -> String? {
      let bytes = fileStart(path, bytes: 4096)
      let words = bytes.split(whereSeparator: { $0 <= 0x20 })
      guard words.count == 1, let word = words.first, bytes.count < 4096 else { return nil }
      return String(decoding: word, as: UTF8.self)
    }
  }
#endif
