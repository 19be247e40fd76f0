#if canImport(Darwin)
  import Darwin

  extension Directory {
    /// Darwin has no call that flushes a file system and waits for it.
    static let canSynchronizeFileSystem = false
    func synchronizeFileSystem() -> Bool { false }

    /// Lets two entries change their names in one step. False where that cannot be done.
    func exchange(_ first: [UInt8], _ second: [UInt8]) -> Bool {
      withDescriptor { folder in
        withName(first) { first in
          withName(second) { second in
            renameatx_np(folder, first, folder, second, UInt32(RENAME_SWAP)) == 0
          }
        }
      }
    }

    /// Renames an entry to a name that nothing has; -1 with `EEXIST` where something has it, and with
    /// `ENOTSUP` where the file system cannot do that in one step.
    func renameExclusively(_ from: [UInt8], to name: [UInt8]) -> Int32 {
      withDescriptor { folder in
        withName(from) { from in
          withName(name) { name in
            renameatx_np(folder, from, folder, name, UInt32(RENAME_EXCL))
          }
        }
      }
    }
  }
#endif
