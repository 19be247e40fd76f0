/// What of a bundle's folder is never sealed, whatever its rules say.
///
/// As `BundleDiskRep::adjustResources` of Apple's Security framework has it; `SC_Info`, which holds the keys of
/// an app from the App Store, is laid beside the code after it was signed.
struct ResourceScope {
  /// The bundle's own executable, from its folder.
  let executable: [UInt8]?

  private static let folders = ["_CodeSignature", "_MASReceipt"].map { Array($0.utf8) }
  private static let link = Array("CodeResources".utf8)
  private static let keys = Array("SC_Info".utf8)
  private static let slash = UInt8(ascii: "/")

  /// Whether a path from the bundle's folder is left out.
  func excludes(_ path: ArraySlice<UInt8>) -> Bool {
    if let executable, path.elementsEqual(executable) { return true }
    switch path.first {
    case UInt8(ascii: "_"):
      let first = path.prefix { $0 != Self.slash }
      return Self.folders.contains { first.elementsEqual($0) }
    case UInt8(ascii: "C"): return path.elementsEqual(Self.link)
    default: return false
    }
  }

  /// Whether a path that is not sealed need not be: it holds keys of the App Store.
  static func isKey(_ path: ArraySlice<UInt8>) -> Bool {
    path.split(separator: slash).dropLast().contains { $0.elementsEqual(keys) }
  }
}
