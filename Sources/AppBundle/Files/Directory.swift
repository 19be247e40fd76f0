#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// An open folder. All below it is reached from its descriptor, one component at a time and never
/// through a symbolic link, so nothing that a tree holds can lead out of the tree.
final class Directory: Sendable, DescriptorOwner {
  private let descriptor: Int32

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Calls with the descriptor, which stays open at least that long.
  func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result {
    withExtendedLifetime(self) { body(descriptor) }
  }

  /// The folder's own status.
  func status() throws(BundleError) -> FileStatus {
    guard let status = FileStatus.of(descriptor) else {
      throw .reading(errno, "cannot look at the folder")
    }
    return status
  }

  /// Opens a folder by path; links on the way are followed, and errors have an output's codes where
  /// it is for one. Where `followsLast` is false, the path's last name must not be a link.
  convenience init(
    _ path: String, isOutput: Bool = false, followsLast: Bool = true
  ) throws(BundleError) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLast ? 0 : O_NOFOLLOW)
    let opened = retrying { open(path, flags) }
    guard opened >= 0 else {
      let doing = "cannot open the folder \(path)"
      throw isOutput ? .writing(errno, doing) : .reading(errno, doing)
    }
    self.init(descriptor: opened)
  }

  /// Opens a folder in this one, and refuses a link. The path is for messages.
  func directory(
    _ name: some Collection<UInt8>, path: @autoclosure () -> String
  ) throws(BundleError) -> Directory {
    let opened = withName(name) { name in
      retrying { openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }
    if opened >= 0 { return Directory(descriptor: opened) }
    if errno == ELOOP || (errno == ENOTDIR && status(name)?.kind == .symbolicLink) {
      throw BundleError(
        .pathEscapes, member: path(), detail: "a symbolic link is on the way to it")
    }
    let number = errno
    throw .reading(number, "cannot open the folder", member: path())
  }

  /// Opens the folder at the end of a path below this one.
  func directory(at path: some Collection<UInt8>) throws(BundleError) -> Directory {
    var current = self
    for part in path.split(separator: MemberName.slash) {
      current = try current.directory(part, path: MemberName.display(path))
    }
    return current
  }

  /// Opens a regular file in this folder, and refuses a link.
  func file(_ name: some Collection<UInt8>, path: String) throws(BundleError) -> InputFile {
    let opened = withName(name) { name in
      retrying { openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }
    guard opened >= 0 else {
      if errno == ELOOP {
        throw BundleError(.notAFile, member: path, detail: "it is a symbolic link")
      }
      throw .reading(errno, "cannot open it", member: path)
    }
    return try InputFile(descriptor: opened, path: path)
  }

  /// The status of an entry itself, nil where there is none.
  func status(_ name: some Collection<UInt8>) -> FileStatus? {
    var found = stat()
    let result = withName(name) { fstatat(descriptor, $0, &found, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? FileStatus(found) : nil
  }

  /// The status of an entry itself, which was listed a moment ago.
  /// - Throws: ``BundleError`` with codes `inputChanged` where it is gone, `unreadable`, `io`.
  func status(of name: some Collection<UInt8>, path: [UInt8]) throws(BundleError) -> FileStatus {
    if let status = status(name) { return status }
    let shown = MemberName.display(path)
    guard errno != ENOENT else {
      throw BundleError(
        .inputChanged, member: shown, detail: "it went away while the folder was listed")
    }
    throw .reading(errno, "cannot look at it", member: shown)
  }

  /// The target of a symbolic link.
  func linkTarget(
    _ name: some Collection<UInt8>, limit: Int, path: String
  ) throws(BundleError) -> [UInt8] {
    var target = [UInt8](repeating: 0, count: limit + 1)
    let count = withName(name) { name in
      target.withUnsafeMutableBytes { buffer -> Int in
        guard let base = buffer.baseAddress else { return 0 }
        return readlinkat(
          descriptor, name, base.assumingMemoryBound(to: CChar.self), buffer.count)
      }
    }
    guard count >= 0 else { throw .reading(errno, "cannot read the link", member: path) }
    guard count <= limit else {
      throw BundleError(.limit, member: path, detail: "the link is longer than \(limit) bytes")
    }
    return Array(target.prefix(count))
  }

  /// The names of all entries, sorted.
  func names() throws(BundleError) -> [[UInt8]] {
    // The stream takes over its descriptor, so it gets one of its own.
    let own = retrying { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard own >= 0, let stream = fdopendir(own) else {
      let number = errno
      if own >= 0 { close(own) }
      throw .reading(number, "cannot list a folder")
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      guard let place = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
      let text = (UnsafeRawPointer(entry) + place).assumingMemoryBound(to: UInt8.self)
      let name = Array(
        UnsafeBufferPointer(
          start: text,
          count: strlen(
            UnsafeRawPointer(text)
              .assumingMemoryBound(to: CChar.self))))
      if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
    }
    guard errno == 0 else { throw .reading(errno, "cannot list a folder") }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

/// Calls with a name as a C string. A name with a zero byte ends there, so callers keep those out.
func withName<Result>(
  _ name: some Collection<UInt8>, _ body: (UnsafePointer<CChar>) -> Result
) -> Result {
  let text = name.map { CChar(bitPattern: $0) } + [0]
  // The array keeps its own storage during the call and ends in zero.
  return text.withUnsafeBufferPointer { buffer in
    buffer.baseAddress.map(body) ?? body("")
  }
}
