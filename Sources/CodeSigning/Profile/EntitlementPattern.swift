internal import PlistKit

/// A value of a profile that stands for itself or, with `*` as its last label, for all that begin as it does.
///
/// Labels are what stands between dots. `*` alone stands for every text that is not empty, `TEAM.*` for
/// `TEAM.` and something more, `TEAM.com.example.*` likewise. A star that is only a part of the last
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
  }
}

/// The values of an array in a profile, made ready to be asked often: a hostile profile can hold a hundred
/// thousand, and an app as many.
struct EntitlementPatterns {
  private let texts: Set<[UInt8]>
  /// What the wildcards begin with, in order. None begins with another, so that of those that are not
  /// behind a text only the last can be its beginning.
  private let beginnings: [[UInt8]]
  /// Values that are no strings, encoded.
  private let others: Set<[UInt8]>

  init(_ values: [PlistValue]) {
    texts = Set(values.compactMap { $0.string.map { Array($0.utf8) } })
    var beginnings: [[UInt8]] = []
    let wildcards = values.compactMap(\.string).filter { EntitlementPattern($0).isWildcard }
    for next in wildcards.map({ Array($0.utf8.dropLast()) }).sorted(by: Self.precedes) {
      if let last = beginnings.last, next.starts(with: last) { continue }
      beginnings.append(next)
    }
    self.beginnings = beginnings
    others = Set(values.compactMap(Self.encoded))
  }

  /// Whether one of the values stands for this: for a string itself or a wildcard, for others an equal one.
  func allow(_ value: PlistValue) -> Bool {
    guard let text = value.string.map({ Array($0.utf8) }) else {
      return Self.encoded(value).map { others.contains($0) } ?? false
    }
    if texts.contains(text) { return true }
    var low = 0
    var high = beginnings.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(text, beginnings[middle]) { high = middle } else { low = middle + 1 }
    }
    guard low > 0 else { return false }
    let beginning = beginnings[low - 1]
    return text.count > beginning.count && text.starts(with: beginning)
  }

  private static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.lexicographicallyPrecedes(b)
  }

  /// A value that is no string in bytes, nil for a string and for what entitlements cannot hold.
  private static func encoded(_ value: PlistValue) -> [UInt8]? {
    if value.string != nil { return nil }
    return try? Entitlements(PlistDictionary([("", value)])).der()
  }
}
