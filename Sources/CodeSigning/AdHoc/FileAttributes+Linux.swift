#if canImport(Glibc)
  internal import Glibc

  extension stat {
    /// When the bytes were changed.
    var modificationTime: timespec { st_mtim }
  }
#endif
