#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The first bytes of a small file, at most so many; none where it cannot be read. A pipe is not
/// waited for.
func fileStart(_ path: String, bytes limit: Int) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { return [] }
  defer { close(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: limit)
  while bytes.count < limit {
    let count = read(file, &buffer, limit - bytes.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { break }
    bytes += buffer.prefix(count)
  }
  return bytes
}
