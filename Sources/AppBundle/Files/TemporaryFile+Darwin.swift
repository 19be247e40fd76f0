#if canImport(Darwin)
  import Darwin

  extension TemporaryFile {
    /// Darwin has no call for that.
    func beginFlush(_ part: Range<UInt64>) {}

    /// Darwin has no files without names.
    static func openNameless(in folder: Directory) -> Int32 { -1 }

    func link(to name: [UInt8]) -> Bool {
      errno = ENOTSUP
      return false
    }
  }
#endif
