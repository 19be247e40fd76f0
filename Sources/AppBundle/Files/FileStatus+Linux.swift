#if canImport(Glibc)
  import Glibc

  extension stat {
    var modificationTime: timespec { st_mtim }
  }
#endif
