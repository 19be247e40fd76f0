#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  /// Extended attributes of files, among them POSIX access lists and security labels (xattr(7)).
  enum FileAttributes {
    private typealias List =
      @convention(c) (Int32, UnsafeMutablePointer<CChar>?, Int) -> Int
    private typealias Get =
      @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
    private typealias Set =
      @convention(c) (Int32, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32) -> Int32

    // The module map of the C library leaves `<sys/xattr.h>` out.
    private static let flistxattr = dlsym(nil, "flistxattr").map {
      unsafeBitCast($0, to: List.self)
    }
    private static let fgetxattr = dlsym(nil, "fgetxattr").map { unsafeBitCast($0, to: Get.self) }
    private static let fsetxattr = dlsym(nil, "fsetxattr").map { unsafeBitCast($0, to: Set.self) }

    /// `XATTR_LIST_MAX` and `XATTR_SIZE_MAX` of `<linux/limits.h>`.
    private static let most = 0x1_0000

    /// Copies all attributes that this process may read and set; 0, or the number of the error.
    static func copy(from source: Int32, to destination: Int32) -> Int32 {
      guard let flistxattr, let fgetxattr, let fsetxattr else { return 0 }
      var list = [CChar](repeating: 0, count: most)
      let length = flistxattr(source, &list, list.count)
      // A file system without attributes has none to keep.
      guard length > 0 else { return 0 }
      var value = [UInt8](repeating: 0, count: most)
      for name in list[..<length].split(separator: 0) {
        let name = Array(name) + [0]
        let count = fgetxattr(source, name, &value, value.count)
        guard count >= 0 else { continue }
        let number = fsetxattr(destination, name, value, count, 0) == 0 ? 0 : errno
        if [ENOSPC, EDQUOT, EIO, E2BIG].contains(number) { return number }
      }
      return 0
    }
  }
#endif
