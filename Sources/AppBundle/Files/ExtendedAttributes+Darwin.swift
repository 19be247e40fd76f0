#if canImport(Darwin)
  import Darwin

  extension ExtendedAttributes {
    /// Copies all attributes and the access control list (`fcopyfile(3)`), all or none.
    static func copy(from source: Int32, to target: Int32) -> [String] {
      let flags = copyfile_flags_t(COPYFILE_XATTR | COPYFILE_ACL)
      return fcopyfile(source, target, nil, flags) == 0 ? [] : ["extended attributes"]
    }
  }
#endif
