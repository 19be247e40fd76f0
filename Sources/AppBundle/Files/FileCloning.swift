#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Files that share blocks, where the file system can do that ("reflink"): the copy takes no time and no
/// room until one of the two is written to.
enum FileCloning {
  /// What a call that would share blocks came to: true where it did, false where this file system, or
  /// this pair of files, cannot.
  ///
  /// A full or broken disk is an error; it would be one for a copy too.
  /// - Throws: ``BundleError`` with code `io`.
  static func outcome(_ number: Int32, _ doing: String) throws(BundleError) -> Bool {
    switch number {
    case 0: return true
    case ENOSPC, EDQUOT, EIO: throw .writing(number, doing)
    default: return false
    }
  }
}
