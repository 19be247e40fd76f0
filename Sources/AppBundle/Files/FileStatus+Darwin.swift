#if canImport(Darwin)
  import Darwin

  extension stat {
    var modificationTime: timespec { st_mtimespec }
  }
#endif
