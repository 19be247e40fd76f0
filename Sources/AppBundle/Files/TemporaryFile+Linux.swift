#if canImport(Glibc)
  import Glibc

  private typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

  /// `sync_file_range(2)`, which the module map of the C library leaves out; nil in one without it.
  private let syncFileRange = dlsym(nil, "sync_file_range").map {
    unsafeBitCast($0, to: SyncFileRange.self)
  }

  extension TemporaryFile {
    /// Has the system begin to write a part to the disk, so that a flush at the end finds less to do.
    func beginFlush(_ part: Range<UInt64>) {
      // SYNC_FILE_RANGE_WRITE of <linux/fs.h>. A failure is seen by the flush itself.
      let write: UInt32 = 2
      _ = syncFileRange?(
        descriptor, Int64(clamping: part.lowerBound), Int64(clamping: part.count), write)
    }

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
