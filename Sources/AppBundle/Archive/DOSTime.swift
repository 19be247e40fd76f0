#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// MS-DOS date and time (APPNOTE.TXT 4.4.6): local time, two-second steps, 1980 to 2107.
struct DOSTime: Equatable {
  var time: UInt16
  var date: UInt16

  /// A time in seconds since 1970, moved into the range that the form holds.
  init(seconds: Int64) {
    var moment = time_t(seconds)
    var parts = tm()
    localtime_r(&moment, &parts)
    self.init(parts)
  }

  /// The same in UTC, which is the same everywhere.
  init(utcSeconds seconds: Int64) {
    var moment = time_t(seconds)
    var parts = tm()
    gmtime_r(&moment, &parts)
    self.init(parts)
  }

  private init(_ parts: tm) {
    let year = parts.tm_year - 80
    if year < 0 {
      self.init(time: 0, date: 1 << 5 | 1)
    } else if year > 127 {
      self.init(time: 23 << 11 | 59 << 5 | 29, date: 127 << 9 | 12 << 5 | 31)
    } else {
      self.init(
        time: UInt16(clamping: parts.tm_hour << 11 | parts.tm_min << 5 | min(parts.tm_sec, 59) / 2),
        date: UInt16(clamping: year << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday))
    }
  }

  init(time: UInt16, date: UInt16) {
    self.time = time
    self.date = date
  }

  /// Seconds since 1970.
  var seconds: Int64 {
    var parts = tm()
    parts.tm_year = Int32(date >> 9) + 80
    parts.tm_mon = Int32(date >> 5 & 15) - 1
    parts.tm_mday = Int32(date & 31)
    parts.tm_hour = Int32(time >> 11)
    parts.tm_min = Int32(time >> 5 & 63)
    parts.tm_sec = Int32(time & 31) * 2
    parts.tm_isdst = -1
    return Int64(mktime(&parts))
  }

  /// The system's clock.
  static func now() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec)
  }
}
