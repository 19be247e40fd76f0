#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  extension FileCloning {
    /// Whether parts of files can share blocks here, not whole files alone.
    static let clonesRanges = true

    /// `struct file_clone_range` of `<linux/fs.h>`.
    private struct CloneRange {
      var source: Int64
      var sourceOffset: UInt64
      var sourceLength: UInt64
      var destinationOffset: UInt64
    }

    // FICLONE is _IOW(0x94, 9, int), FICLONERANGE _IOW(0x94, 13, struct file_clone_range); see
    // ioctl_ficlonerange(2).
    private static let whole: UInt = 0x4004_9409
    private static let range: UInt = 0x4020_940D

    /// Lets an open file share all blocks of another; 0, or the number of the error.
    static func clone(_ source: Int32, into destination: Int32) -> Int32 {
      retrying { ioctl(destination, whole, source) } == 0 ? 0 : errno
    }

    /// Lets a part of an open file share the blocks of a part of another; 0, or the number of the error.
    ///
    /// Both places must be multiples of the file system's block size. So must the length, unless the part
    /// ends where its file ends.
    static func clone(
      _ part: Range<UInt64>, of source: Int32, into destination: Int32, at offset: UInt64
    ) -> Int32 {
      // A length of zero would mean all up to the end.
      guard !part.isEmpty else { return 0 }
      var request = CloneRange(
        source: Int64(source), sourceOffset: part.lowerBound,
        sourceLength: part.upperBound - part.lowerBound, destinationOffset: offset)
      let result = withUnsafeMutablePointer(to: &request) { request in
        retrying { ioctl(destination, range, UnsafeMutableRawPointer(request)) }
      }
      return result == 0 ? 0 : errno
    }
  }

  extension Directory {
    /// Makes a new file that shares all blocks of another, and opens it for reading and writing.
    ///
    /// -1, with the cause in `errno` and no file left, where that fails; ``FileCloning/outcome(_:_:)``
    /// tells whether a copy could do it.
    func openClone(
      _ name: some Collection<UInt8>, of file: InputFile, mode: mode_t
    ) -> Int32 {
      let opened = openFile(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
      guard opened >= 0 else { return -1 }
      let number = file.withDescriptor { FileCloning.clone($0, into: opened) }
      if number == 0 { return opened }
      close(opened)
      remove(name, isFolder: false)
      errno = number
      return -1
    }
  }
#endif
