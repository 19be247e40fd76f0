/// What a member's bytes are packed with (APPNOTE.TXT 4.4.5).
enum CompressionMethod {
  /// Whether members of a method are read.
  static func isRead(_ method: UInt16) -> Bool { method == 0 || method == 8 }

  /// The method for messages. 99 stands for encryption, which the flags tell too; without that flag
  /// it is Apple's.
  static func name(_ method: UInt16) -> String {
    let name: String? =
      switch method {
      case 0: "stored"
      case 1: "Shrink"
      case 2, 3, 4, 5: "Reduce"
      case 6: "Implode"
      case 8: "Deflate"
      case 9: "Deflate64"
      case 10: "DCL Implode"
      case 12: "bzip2"
      case 14: "LZMA"
      case 18: "Terse"
      case 19: "LZ77"
      case 20, 93: "Zstandard"
      case 94: "MP3"
      case 95: "XZ"
      case 96: "JPEG"
      case 97: "WavPack"
      case 98: "PPMd"
      case 99: "LZFSE"
      default: nil
      }
    return "method \(method)" + (name.map { " (\($0))" } ?? "")
  }

  /// What to do with an archive that holds a member of a method that is not read.
  static func remedy(_ method: UInt16) -> String {
    method == 99
      ? "unpack it on a Mac with ditto or Archive Utility and pack it anew with zip"
      : "unpack it and pack it anew with zip"
  }
}
