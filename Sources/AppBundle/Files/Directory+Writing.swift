#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The calls that change a folder. Each returns what the system call does, -1 with the cause in
/// `errno`. As methods they keep the folder open during the call.
extension Directory {
  /// `mkdirat(2)`.
  func makeFolder(_ name: some Collection<UInt8>, mode: mode_t) -> Int32 {
    withDescriptor { descriptor in withName(name) { mkdirat(descriptor, $0, mode) } }
  }

  /// `openat(2)` with a mode for a new file.
  func openFile(_ name: some Collection<UInt8>, _ flags: Int32, mode: mode_t) -> Int32 {
    withDescriptor { descriptor in
      withName(name) { name in retrying { openat(descriptor, name, flags | O_CLOEXEC, mode) } }
    }
  }

  /// `symlinkat(2)`.
  func makeLink(_ name: some Collection<UInt8>, to target: [UInt8]) -> Int32 {
    withDescriptor { descriptor in
      withName(name) { name in withName(target) { symlinkat($0, descriptor, name) } }
    }
  }

  /// `linkat(2)` within the folder.
  func link(_ from: [UInt8], to name: [UInt8]) -> Int32 {
    withDescriptor { descriptor in
      withName(from) { from in withName(name) { linkat(descriptor, from, descriptor, $0, 0) } }
    }
  }

  /// `renameat(2)` within the folder.
  func rename(_ from: [UInt8], to name: [UInt8]) -> Int32 {
    withDescriptor { descriptor in
      withName(from) { from in withName(name) { renameat(descriptor, from, descriptor, $0) } }
    }
  }

  /// `unlinkat(2)`.
  @discardableResult
  func remove(_ name: some Collection<UInt8>, isFolder: Bool) -> Int32 {
    withDescriptor { descriptor in
      withName(name) { unlinkat(descriptor, $0, isFolder ? AT_REMOVEDIR : 0) }
    }
  }

  /// `utimensat(2)` on an entry itself.
  @discardableResult
  func setTime(_ time: timespec, of name: some Collection<UInt8>) -> Int32 {
    withDescriptor { descriptor in
      withName(name) { utimensat(descriptor, $0, [time, time], AT_SYMLINK_NOFOLLOW) }
    }
  }

  /// `futimens(2)` on the folder.
  func setTime(_ time: timespec) -> Int32 { withDescriptor { futimens($0, [time, time]) } }

  /// `fchmod(2)` on the folder.
  func setPermissions(_ permissions: UInt16) -> Int32 {
    withDescriptor { fchmod($0, mode_t(permissions)) }
  }

  /// `fsync(2)` on the folder, where the file system can.
  func synchronize() -> Int32 {
    withDescriptor { descriptor in
      let result = retrying { fsync(descriptor) }
      return result != 0 && (errno == EINVAL || errno == ENOTSUP) ? 0 : result
    }
  }
}
