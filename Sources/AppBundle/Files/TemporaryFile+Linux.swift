#if canImport(Glibc)
  import Glibc

  extension TemporaryFile {
    /// `O_TMPFILE` of `<asm-generic/fcntl.h>`, which is a macro of macros.
    private static let nameless: Int32 = 0o20000000 | O_DIRECTORY

    /// Opens a file without a name, which no crash can leave behind; -1 where the file system has
    /// none, or where it could not be named later because `/proc` is missing.
    static func openNameless(in folder: Directory) -> Int32 {
      let opened = folder.openFile(".".utf8, O_RDWR | nameless, mode: 0o600)
      guard opened >= 0 else { return -1 }
      if access("/proc/self/fd/\(opened)", F_OK) == 0 { return opened }
      close(opened)
      return -1
    }

    /// Gives the nameless file a name that nothing has; false leaves the cause in `errno`.
    func link(to name: [UInt8]) -> Bool {
      place.folder.withDescriptor { folder in
        withName(name) {
          linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", folder, $0, AT_SYMLINK_FOLLOW)
        }
      } == 0
    }
  }
#endif
