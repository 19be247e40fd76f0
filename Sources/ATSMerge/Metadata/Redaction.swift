/// Hides installation IDs in text that is shown to people.
///
/// Malformed IDs are hidden too: a URL with one digit too many is refused, and what is refused is
/// printed.
public enum Redaction {
  /// How many digits of an ID are ever shown.
  static let visibleDigits = 4
  /// Runs of hexadecimal digits that are taken for an ID wherever they stand: its 48, with some more
  /// or less by mistake or from a percent-escape before it. Hashes of 40 and 64 digits are none.
  private static let suspiciousRuns = 46...52
  /// An ID behind a marker has at least so many characters, and three of four are hexadecimal digits.
  private static let shortestID = 24
  /// And no more than so many, with what an escape makes of a stray character.
  private static let longestID = 256

  /// The text with each ID cut to its first four digits: what looks like one between `/app/` and
  /// `/update` or behind `/update/`, every run of about 48 hexadecimal digits, and one of any length
  /// where an ellipsis cuts it off.
  public static func hidingIDs(in text: String) -> String {
    let bytes = Array(text.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    var next = 0
    while next < bytes.count {
      let marker = markers.first { bytes[next...].starts(with: $0) }
      if let marker {
        kept += marker
        next += marker.count
      }
      let length =
        if let marker { segmentLength(of: bytes[next...], behind: marker) } else { 0 }
      let run = bytes[next...].prefix(while: \.isHexadecimalDigit).count
      if length > visibleDigits {
        append(bytes[next..<(next + length)], to: &kept)
        next += length
      } else if suspiciousRuns.contains(run) {
        append(bytes[next..<(next + run)], to: &kept)
        next += run
      } else if run > visibleDigits, bytes[(next + run)...].starts(with: ellipsis) {
        append(bytes[next..<(next + run)], to: &kept)
        next += run + ellipsis.count
      } else if run > 0 {
        kept += bytes[next..<(next + run)]
        next += run
      } else if marker == nil {
        kept.append(bytes[next])
        next += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static let ellipsis = Array("…".utf8)
  /// A slash, and how a JSON Pointer has one within a key.
  private static let slashes = ["/", "~1"]
  private static let appMarkers = slashes.map { Array("\($0)app\($0)".utf8) }
  private static let markers = appMarkers + slashes.map { Array("\($0)update\($0)".utf8) }
  private static let ends = slashes.map { Array("\($0)update".utf8) }

  /// How many bytes of an ID stand behind a marker, 0 where it is something else. What stands before
  /// `/update` is one with blanks and line ends in it too.
  private static func segmentLength(of rest: ArraySlice<UInt8>, behind marker: [UInt8]) -> Int {
    let isApp = appMarkers.contains(marker)
    // In XML a character reference may stand for a digit: its number sign ends no URL.
    var previous: UInt8 = 0
    let segment = rest.prefix(longestID).prefix { byte in
      defer { previous = byte }
      return (isApp || byte > 0x20) && !"/~?\"'<>".utf8.contains(byte)
        && (byte != UInt8(ascii: "#") || previous == UInt8(ascii: "&"))
    }
    guard segment.count >= shortestID,
      segment.count(where: \.isHexadecimalDigit) * 4 >= segment.count * 3
    else { return 0 }
    let behind = rest.dropFirst(segment.count)
    return !isApp || ends.contains(where: behind.starts) ? segment.count : 0
  }

  /// Appends the visible start of an ID, whole characters of it.
  private static func append(_ id: ArraySlice<UInt8>, to kept: inout [UInt8]) {
    kept += String(decoding: id, as: UTF8.self).prefix(visibleDigits).utf8
    kept += ellipsis
  }
}
