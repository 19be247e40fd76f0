#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  extension TailscaleLocalAPI {
    /// Where Tailscale's daemon listens on this system (Tailscale, `paths.DefaultTailscaledSocket` and
    /// `version/distro`).
    static func systemEndpoints() -> [Endpoint] {
      endpoints { access($0, F_OK) == 0 }
    }

    /// Where it listens on a system that has some files. A path is only looked at on the system that
    /// it belongs to: elsewhere anybody could put a socket below `/tmp`.
    static func endpoints(whereExists exists: (String) -> Bool) -> [Endpoint] {
      let paths =
        if exists("/usr/syno") {
          // Version 7 of Synology's system, and 6.
          [
            "/var/packages/Tailscale/var/tailscaled.sock",
            "/var/packages/Tailscale/etc/tailscaled.sock",
          ]
        } else if exists("/etc/config/uLinux.conf") {
          ["/tmp/tailscale/tailscaled.sock"]
        } else if exists("/gokrazy") {
          ["/perm/tailscaled/tailscaled.sock"]
        } else {
          ["/var/run/tailscale/tailscaled.sock"]
        }
      return paths.map(Endpoint.socket)
    }
  }
#endif
