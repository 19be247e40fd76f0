#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension XMLScalars {
  /// A real in Core Foundation's form: 17 significant digits, `nan`, `+infinity`, `-infinity`.
  static func bytes(of real: PlistReal) -> [UInt8] {
    let value = real.value
    if value.isNaN { return Array("nan".utf8) }
    if value.isInfinite { return Array((value < 0 ? "-infinity" : "+infinity").utf8) }
    if value == 0 { return Array((value.sign == .minus ? "-0.0" : "0.0").utf8) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      let length = withVaList([value]) { vsnprintf(text.baseAddress, text.count, "%.17g", $0) }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(max(0, Int(length)))
      // The C library writes the decimal point of the process's locale.
      for unit in text.prefix(max(0, Int(length))) {
        switch UInt8(bitPattern: unit) {
        case let byte where byte &- 0x30 < 10: bytes.append(byte)
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"):
          bytes.append(UInt8(bitPattern: unit))
        default: if bytes.last != UInt8(ascii: ".") { bytes.append(UInt8(ascii: ".")) }
        }
      }
      return bytes
    }
  }

  /// Core Foundation counts years from 2001 in 32 bits, so that it reads no year before this one back.
  private static let highestWrittenYear = Int(Int32.max) - 2000

  /// A date in whole seconds, nil where Core Foundation's reader would not read the year back. A year
  /// has four digits or more, and a sign before the year 0.
  static func text(of date: PlistDate) -> String? {
    let seconds = date.secondsSince2001.rounded(.down)
    // More than 2^31 years on either side.
    guard seconds > -7e16, seconds < 7e16 else { return nil }
    let total = Int(seconds)
    let days = total / 86_400 - (total % 86_400 < 0 ? 1 : 0)
    let time = total - days * 86_400
    let (year, month, day) = Calendar.date(afterDays: days)
    guard abs(year) <= highestWrittenYear else { return nil }
    return "\(year < 0 ? "-" : "")\(padded(abs(year), to: 4))-\(padded(month))-\(padded(day))"
      + "T\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))Z"
  }

  private static func padded(_ number: Int, to width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
