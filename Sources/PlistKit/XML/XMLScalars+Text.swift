#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension XMLScalars {
  /// A real in Core Foundation's form: 17 significant digits, `nan`, `+infinity`, `-infinity`.
  static func text(of real: PlistReal) -> String {
    let value = real.value
    if value.isNaN { return "nan" }
    if value.isInfinite { return value < 0 ? "-infinity" : "+infinity" }
    if value == 0 { return value.sign == .minus ? "-0.0" : "0.0" }
    var buffer = [CChar](repeating: 0, count: 64)
    let length = withVaList([value]) { vsnprintf(&buffer, buffer.count, "%.17g", $0) }
    // The C library writes the decimal point of the process's locale.
    var text = ""
    for unit in buffer.prefix(max(0, Int(length))) {
      let byte = UInt8(bitPattern: unit)
      if (0x30...0x39).contains(byte) || "+-e".utf8.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else if !text.hasSuffix(".") {
        text += "."
      }
    }
    return text
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
