/// The text forms of numbers and dates, as Core Foundation's reader takes them
/// (CFPropertyList.c of swift-corelibs-foundation).
enum XMLScalars {
  /// An integer: white space, a sign, white space, decimal digits or `0x` and hexadecimal ones.
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> PlistInteger? {
    var digits = bytes[spaceEnd(from: 0, in: bytes)...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") {
      digits = bytes[spaceEnd(from: digits.startIndex + 1, in: bytes)...]
    }
    var radix: UInt8 = 10
    if digits.count > 1, digits.first == UInt8(ascii: "0"),
      digits[digits.startIndex + 1] | 0x20 == UInt8(ascii: "x")
    {
      radix = 16
      digits = digits.dropFirst(2)
    }
    guard !digits.isEmpty else { return nil }
    var magnitude: UInt64 = 0
    for byte in digits {
      guard let digit = byte.digit(radix: radix) else { return nil }
      let (product, productOverflows) = magnitude.multipliedReportingOverflow(by: UInt64(radix))
      let (sum, sumOverflows) = product.addingReportingOverflow(UInt64(digit))
      if productOverflows || sumOverflows { return nil }
      magnitude = sum
    }
    if !isNegative { return PlistInteger(magnitude) }
    guard magnitude <= Int64.min.magnitude else { return nil }
    return PlistInteger(Int64(truncatingIfNeeded: 0 &- magnitude))
  }

  /// Where white space ends that Core Foundation passes over before an integer: ASCII up to the
  /// space, DEL, and the spaces of U+2000 to U+200B, U+202F, U+205F and U+3000.
  private static func spaceEnd(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start
    while index < bytes.count {
      if bytes[index] <= 0x20 || bytes[index] == 0x7F {
        index += 1
      } else if bytes.count - index >= 3, isWideSpace(bytes[index..<index + 3]) {
        index += 3
      } else {
        break
      }
    }
    return index
  }

  private static func isWideSpace(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let last = bytes[bytes.startIndex + 2]
    return switch (bytes[bytes.startIndex], bytes[bytes.startIndex + 1]) {
    case (0xE2, 0x80): (0x80...0x8B).contains(last) || last == 0xAF
    case (0xE2, 0x81): last == 0x9F
    case (0xE3, 0x80): last == 0x80
    default: false
    }
  }

  /// A real: `nan`, `inf` or `infinity` in any case, the latter two with a sign or without, or a
  /// decimal number, before which white space may stand.
  static func real(_ text: String) -> PlistReal? {
    let number = text.utf8.drop(while: \.isXMLSpace)
    let isDecimal = number.allSatisfy { byte in
      (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    if isDecimal { return Double(Substring(number)).map { PlistReal($0) } }
    return switch text.lowercased() {
    case "nan": PlistReal(Double.nan)
    case "inf", "+inf", "infinity", "+infinity": PlistReal(Double.infinity)
    case "-inf", "-infinity": PlistReal(-Double.infinity)
    default: nil
    }
  }

  /// The highest year, of either sign, that Core Foundation's reader takes exactly.
  static let highestYear = Int(Int32.max)

  /// A date of the form `-?Y*-MM-DDThh:mm:ssZ`, of which no year is the year 0, and whether its
  /// fields are in their ranges. The 13th month and the 60th second roll over.
  static func date(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (date: PlistDate, isInRange: Bool)? {
    var scan = DateScan(bytes: bytes)
    let isNegative = scan.take(UInt8(ascii: "-"))
    guard let year = scan.year(), scan.take(UInt8(ascii: "-")),
      let month = scan.twoDigits(), scan.take(UInt8(ascii: "-")),
      let day = scan.twoDigits(), scan.take(UInt8(ascii: "T")),
      let hour = scan.twoDigits(), scan.take(UInt8(ascii: ":")),
      let minute = scan.twoDigits(), scan.take(UInt8(ascii: ":")),
      let second = scan.twoDigits(), scan.take(UInt8(ascii: "Z")), scan.isAtEnd
    else { return nil }
    let days = Calendar.days(toYear: isNegative ? -year : year, month: month, day: day)
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    let exact = Calendar.date(afterDays: days)
    return (
      PlistDate(secondsSince2001: Double(seconds)),
      exact.month == month && exact.day == day && hour < 24 && minute < 60 && second < 60
    )
  }

  /// A walk over a date's text.
  private struct DateScan {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ byte: UInt8) -> Bool {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }

    /// The digits up to what is none, nil for a number above ``XMLScalars/highestYear``.
    mutating func year() -> Int? {
      var number = 0
      while let digit = takeDigit() {
        number = number * 10 + digit
        guard number <= XMLScalars.highestYear else { return nil }
      }
      return number
    }

    mutating func twoDigits() -> Int? {
      guard let tens = takeDigit(), let ones = takeDigit() else { return nil }
      return tens * 10 + ones
    }

    private mutating func takeDigit() -> Int? {
      guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
      index += 1
      return Int(bytes[index - 1] - 0x30)
    }
  }
}

/// The Gregorian calendar, extended to all years, in days since 2001-01-01.
enum Calendar {
  private static let daysOf400Years = 146_097
  /// The days from March 1 of the year 0.
  private static let daysTo2001 = 730_791

  /// The days to a date. A month outside 1 to 12 counts into other years, a day into other months.
  static func days(toYear year: Int, month: Int, day: Int) -> Int {
    // Years are counted from March, so that the leap day is the last of its year.
    let months = year * 12 + month - 3
    let year = floorDivide(months, 12)
    let daysToMonth = ((months - year * 12) * 153 + 2) / 5
    let century = floorDivide(year, 100)
    let leapDays = floorDivide(year, 4) - century + floorDivide(year, 400)
    return year * 365 + leapDays + daysToMonth + day - 1 - daysTo2001
  }

  /// The date after so many days.
  static func date(afterDays days: Int) -> (year: Int, month: Int, day: Int) {
    let sinceMarch = days + daysTo2001
    let era = floorDivide(sinceMarch, daysOf400Years)
    let dayOfEra = sinceMarch - era * daysOf400Years
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = era * 400 + yearOfEra + (month < 10 ? 0 : 1)
    return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
  }

  private static func floorDivide(_ a: Int, _ b: Int) -> Int {
    a / b - (a % b < 0 ? 1 : 0)
  }
}
