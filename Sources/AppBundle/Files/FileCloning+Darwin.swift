#if canImport(Darwin)
  import Darwin

  extension FileCloning {
    /// Whether parts of files can share blocks here: APFS clones whole files alone.
    static let clonesRanges = false

    /// Darwin clones a file under a name only; see ``Directory/openClone(_:of:mode:)``.
    static func clone(_ source: Int32, into destination: Int32) -> Int32 { ENOTSUP }

    static func clone(
      _ part: Range<UInt64>, of source: Int32, into destination: Int32, at offset: UInt64
    ) -> Int32 { part.isEmpty ? 0 : ENOTSUP }
  }

  extension Directory {
    /// Makes a new file that shares all blocks of another, and opens it for reading and writing.
    ///
    /// -1, with the cause in `errno` and no file left, where that fails; ``FileCloning/outcome(_:_:)``
    /// tells whether a copy could do it. `fclonefileat(2)` clones extended attributes too; they are taken
    /// away, as a copy has none.
    func openClone(
      _ name: some Collection<UInt8>, of file: InputFile, mode: mode_t
    ) -> Int32 {
      let flags = UInt32(CLONE_NOFOLLOW | CLONE_NOOWNERCOPY)
      let cloned = withDescriptor { folder in
        withName(name) { name in
          file.withDescriptor { fclonefileat($0, folder, name, flags) }
        }
      }
      guard cloned == 0 else { return -1 }
      let changed = withDescriptor { folder in
        withName(name) { fchmodat(folder, $0, mode, AT_SYMLINK_NOFOLLOW) }
      }
      let opened = changed == 0 ? openFile(name, O_RDWR | O_NOFOLLOW, mode: mode) : -1
      if opened < 0 {
        let number = errno
        remove(name, isFolder: false)
        errno = number
      } else {
        removeAttributes(of: opened)
      }
      return opened
    }
  }

  private func removeAttributes(of descriptor: Int32) {
    let length = flistxattr(descriptor, nil, 0, 0)
    guard length > 0 else { return }
    var list = [CChar](repeating: 0, count: length)
    let found = flistxattr(descriptor, &list, list.count, 0)
    for name in list.prefix(max(0, found)).split(separator: 0) {
      _ = fremovexattr(descriptor, Array(name) + [0], 0)
    }
  }
#endif
