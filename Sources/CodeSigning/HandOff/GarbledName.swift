/// What becomes of names in archives whose UTF-8 is taken for something else.
enum GarbledName {
  /// A name as others may read it: as code page 437, which archives without the UTF-8 flag have by the
  /// standard (APPNOTE.TXT, appendix D), as Latin-1, and with a mark for each byte or character.
  static func forms(of path: String) -> [String] {
    guard !path.utf8.allSatisfy({ $0 < 0x80 }) else { return [] }
    let bytes = Array(path.utf8)
    return [
      String(String.UnicodeScalarView(bytes.map(scalar437))),
      String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })),
      String(String.UnicodeScalarView(bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : "?" })),
      String(String.UnicodeScalarView(path.unicodeScalars.map { $0.isASCII ? $0 : "?" })),
      String(String.UnicodeScalarView(bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : "_" })),
      String(String.UnicodeScalarView(path.unicodeScalars.map { $0.isASCII ? $0 : "_" })),
    ]
  }

  static func scalar437(_ byte: UInt8) -> Unicode.Scalar {
    byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte) - 0x80]
  }

  /// Bytes 0x80 to 0xff of code page 437 (Unicode consortium, `CP437.TXT`).
  private static let upper = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
      + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}")
      .unicodeScalars)
}
