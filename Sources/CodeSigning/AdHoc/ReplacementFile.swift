#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

internal import Processes

/// A new file beside the one that it takes the place of; gone with this object unless it did.
///
/// The file gets a name of its own first, so that other names of the old one (hard links) keep the old
/// bytes, and nobody sees half of it.
final class ReplacementFile {
  private let path: [UInt8]
  private let temporary: [UInt8]
  private let descriptor: Int32
  /// A path for messages.
  private let shown: String
  private var isPublished = false

  /// Makes the file, which its owner alone can read.
  /// - Throws: ``SigningError`` with code `io`.
  init(for path: [UInt8], shown: String) throws(SigningError) {
    let folder = path.lastIndex(of: 0x2F).map { path[...$0] } ?? []
    var temporary: [UInt8] = []
    var opened: Int32 = -1
    for attempt in 0..<100 {
      temporary = folder + Array(".ipa-inject-signing-\(getpid())-\(attempt)".utf8)
      opened = withPath(temporary) {
        open($0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      }
      if opened >= 0 || errno != EEXIST { break }
    }
    guard opened >= 0 else { throw .writing(shown) }
    self.path = path
    self.shown = shown
    self.temporary = temporary
    descriptor = opened
  }

  deinit {
    close(descriptor)
    if !isPublished { _ = withPath(temporary) { unlink($0) } }
  }

  /// Appends bytes.
  /// - Throws: ``SigningError`` with code `io`.
  func append(_ bytes: [UInt8]) throws(SigningError) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { buffer -> Int in
        guard let base = buffer.baseAddress else { return 0 }
        return write(descriptor, base + done, buffer.count - done)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw .writing(shown) }
      done += written
    }
  }

  /// Gives the file its mode, time and name; without attributes a mode that lets everyone read it, and the
  /// present time.
  /// - Throws: ``SigningError`` with code `io`.
  func publish(_ attributes: FileAttributes? = nil) throws(SigningError) {
    if let attributes {
      guard futimens(descriptor, [attributes.time, attributes.time]) == 0 else {
        throw .writing(shown)
      }
    }
    guard fchmod(descriptor, mode_t(attributes?.permissions ?? 0o644)) == 0,
      withPath(temporary, { from in withPath(path) { rename(from, $0) } }) == 0
    else { throw .writing(shown) }
    isPublished = true
  }
}

/// Mode and modification time of a file.
struct FileAttributes {
  var permissions: UInt16
  var time: timespec

  /// Those of what is at a path, a link's own; nil where there is nothing.
  init?(of path: [UInt8]) {
    var status = stat()
    guard withPath(path, { lstat($0, &status) }) == 0 else { return nil }
    permissions = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
    time = status.modificationTime
  }

  /// Whether anyone may execute it.
  var isExecutable: Bool { permissions & 0o111 != 0 }

  /// Lets everyone execute it who may read it.
  mutating func makeExecutable() { permissions |= (permissions & 0o444) >> 2 }

  /// Gives a folder this time.
  func setTime(ofFolder path: [UInt8]) {
    _ = withPath(path) {
      utimensat(AT_FDCWD, $0, [time, time], AT_SYMLINK_NOFOLLOW)
    }
  }
}

/// Makes a folder where there is none yet.
/// - Throws: ``SigningError`` with code `io`.
func makeFolder(_ path: [UInt8], shown: String) throws(SigningError) {
  guard withPath(path, { mkdir($0, 0o755) }) == 0 || errno == EEXIST else { throw .writing(shown) }
}

private func withPath<Result>(
  _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
) -> Result {
  (path + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
    // The buffer has a NUL at least.
    buffer.baseAddress.map(body) ?? "".withCString(body)
  }
}

extension SigningError {
  fileprivate static func writing(_ path: String) -> SigningError {
    SigningError(.io, file: path, detail: "cannot write it: \(SystemError(number: errno).reason)")
  }
}
