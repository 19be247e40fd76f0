#if canImport(Darwin)
  internal import Darwin

  extension stat {
    /// When the bytes were changed.
    var modificationTime: timespec { st_mtimespec }
  }
#endif
