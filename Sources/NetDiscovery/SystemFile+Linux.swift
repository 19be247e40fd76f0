#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  /// The first bytes of a file in which the kernel tells something; none where it cannot be read.
  func readSystemFile(_ path: String, limit: Int) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(limit, 16384))
    while bytes.count < limit {
      let count = read(file, &buffer, min(buffer.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return bytes
  }
#endif
