/// A value of a profile that stands for itself or, with `*` as its last label, for all that begin as it does.
///
/// Labels are what stands between dots. `*` alone stands for every text that is not empty, `TEAM.*` for
/// `TEAM.` and at least one more label, `TEAM.com.example.*` likewise. A star that is only a part of the last
/// label (`TEAM.com.exam*`), or stands elsewhere, is no wildcard here: Apple issues none such.
struct EntitlementPattern {
  private let text: String

  init(_ text: String) { self.text = text }

  /// Whether it can stand for several values.
  var isWildcard: Bool { text == "*" || text.utf8.reversed().starts(with: "*.".utf8) }

  /// Whether it stands for a text; texts compare by their bytes.
  func matches(_ other: String) -> Bool {
    guard isWildcard else { return text.utf8.elementsEqual(other.utf8) }
    let start = text.utf8.dropLast()
    return other.utf8.count > start.count && other.utf8.starts(with: start)
      && other.utf8.dropFirst(start.count).first != UInt8(ascii: ".")
  }
}
