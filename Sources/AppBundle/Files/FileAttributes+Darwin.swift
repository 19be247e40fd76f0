#if canImport(Darwin)
  import Darwin

  /// Extended attributes and access lists of files.
  enum FileAttributes {
    /// Copies all attributes that this process may read and set; 0, or the number of the error
    /// (`fcopyfile(3)`).
    static func copy(from source: Int32, to destination: Int32) -> Int32 {
      let kinds = copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)
      guard fcopyfile(source, destination, nil, kinds) != 0 else { return 0 }
      return [ENOSPC, EDQUOT, EIO].contains(errno) ? errno : 0
    }

    /// Takes all extended attributes away.
    static func removeAll(from descriptor: Int32) {
      let length = flistxattr(descriptor, nil, 0, 0)
      guard length > 0 else { return }
      var list = [CChar](repeating: 0, count: length)
      let found = flistxattr(descriptor, &list, list.count, 0)
      for name in list.prefix(max(0, found)).split(separator: 0) {
        _ = fremovexattr(descriptor, Array(name) + [0], 0)
      }
    }
  }
#endif
