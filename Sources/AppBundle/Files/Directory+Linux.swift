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

    /// Lets two entries change their names in one step. False where that cannot be done.
    func exchange(_ first: [UInt8], _ second: [UInt8]) -> Bool {
      // RENAME_EXCHANGE of <linux/fs.h>.
      let exchanging: UInt32 = 2
      guard let rename = Self.renameat2 else { return false }
      return withDescriptor { folder in
        withName(first) { first in
          withName(second) { second in rename(folder, first, folder, second, exchanging) == 0 }
        }
      }
    }
  }
#endif
