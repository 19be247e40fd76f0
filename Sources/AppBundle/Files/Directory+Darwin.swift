#if canImport(Darwin)
  import Darwin

  extension Directory {
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
  }
#endif
