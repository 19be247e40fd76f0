#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  extension Directory {
    private typealias Rename =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
      ) -> Int32

    /// `renameat2(2)`, which the module map of the C library leaves out; nil in one without it.
    private static let renameat2 = dlsym(nil, "renameat2").map {
      unsafeBitCast($0, to: Rename.self)
    }

    private typealias Synchronize = @convention(c) (Int32) -> Int32
    private static let syncfs = dlsym(nil, "syncfs").map {
      unsafeBitCast($0, to: Synchronize.self)
    }

    /// Has all that was written to the folder's file system reach the disk, `syncfs(2)`. False where
    /// that cannot be done or failed.
    func synchronizeFileSystem() -> Bool {
      guard let synchronize = Self.syncfs else { return false }
      return withDescriptor { synchronize($0) } == 0
    }

    /// Whether that is there, and takes the place of flushing thousands of files one by one.
    static let canSynchronizeFileSystem = syncfs != nil

    /// Lets two entries change their names in one step. False where that cannot be done.
    func exchange(_ first: [UInt8], _ second: [UInt8]) -> Bool {
      // RENAME_EXCHANGE of <linux/fs.h>.
      rename(first, second, flags: 2) == 0
    }

    /// Renames an entry to a name that nothing has; -1 with `EEXIST` where something has it, and with
    /// `EINVAL` or `ENOSYS` where the system or the file system cannot do that in one step.
    func renameExclusively(_ from: [UInt8], to name: [UInt8]) -> Int32 {
      // RENAME_NOREPLACE of <linux/fs.h>.
      rename(from, name, flags: 1)
    }

    private func rename(_ from: [UInt8], _ name: [UInt8], flags: UInt32) -> Int32 {
      guard let rename = Self.renameat2 else {
        errno = ENOSYS
        return -1
      }
      return withDescriptor { folder in
        withName(from) { from in
          withName(name) { name in rename(folder, from, folder, name, flags) }
        }
      }
    }
  }
#endif
