#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// What `stat` tells of a file.
struct FileStatus: Sendable, Equatable {
  /// What stays the same while no one writes to the file or puts another in its place.
  struct Identity: Sendable, Equatable {
    let device: UInt64
    let inode: UInt64
    let size: UInt64
    let seconds: Int64
    let nanoseconds: Int64
  }

  let identity: Identity
  /// Type and permission bits.
  let mode: UInt16
  let owner: UInt32
  let group: UInt32
  /// How many names it has.
  let links: UInt64
  /// Whether the file takes less room than its size, mostly because of holes.
  let isSparse: Bool

  var size: UInt64 { identity.size }
  var permissions: UInt16 { mode & 0o7777 }
  var kind: Member.Kind {
    switch mode & 0o170000 {
    case 0o100000: .file
    case 0o040000: .directory
    case 0o120000: .symbolicLink
    default: .other
    }
  }

  init(_ status: stat) {
    let time = status.modificationTime
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino),
      size: UInt64(clamping: status.st_size), seconds: Int64(time.tv_sec),
      nanoseconds: Int64(time.tv_nsec))
    mode = UInt16(truncatingIfNeeded: status.st_mode)
    owner = status.st_uid
    group = status.st_gid
    links = UInt64(status.st_nlink)
    // `st_blocks` counts blocks of 512 bytes, whatever the file system's are.
    isSparse = Int64(status.st_blocks) < Int64(status.st_size) / 512
  }

  /// The status of an open file, nil on an error.
  static func of(_ descriptor: Int32) -> FileStatus? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileStatus(status) : nil
  }

  /// Whether two descriptions are of one file or folder.
  func isSame(as other: FileStatus) -> Bool {
    identity.device == other.identity.device && identity.inode == other.identity.inode
  }

  /// Whether what a path leads to is this folder, or lies anywhere in it.
  func holds(_ path: String) -> Bool {
    guard var part = realPath(path) else { return false }
    while !part.isEmpty {
      if let here = FileStatus.following(part), isSame(as: here) { return true }
      guard let slash = part.lastIndex(of: "/") else { return false }
      part = String(part[..<slash])
    }
    return false
  }

  /// The status of what a path leads to, nil where there is nothing.
  static func following(_ path: String) -> FileStatus? {
    var status = stat()
    return stat(path, &status) == 0 ? FileStatus(status) : nil
  }
}

/// Repeats a call that a signal interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Where a path leads to in the end, `realpath(3)`; nil, with the cause in `errno`, where it leads nowhere.
package func realPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}
