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
  /// As many hexadecimal digits behind `/update/` are an ID.
  private static let shortestLegacyRun = 24
  /// As many characters of any kind behind `/update/` are one too.
  private static let shortestLegacySegment = 40

  /// The text with each ID cut to its first four digits: what stands between `/app/` and `/update`,
  /// long runs behind `/update/`, and every run of about 48 hexadecimal digits.
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

  private static let appMarker = Array("/app/".utf8)
  private static let markers = [appMarker, Array("/update/".utf8)]

  /// How many bytes of an ID stand behind a marker, 0 where it is something else.
  private static func segmentLength(of rest: ArraySlice<UInt8>, behind marker: [UInt8]) -> Int {
    let segment = rest.prefix { $0 > 0x20 && !"/?#\"'<>".utf8.contains($0) }
    if marker == appMarker {
      return rest.dropFirst(segment.count).starts(with: "/update".utf8) ? segment.count : 0
    }
    let isRun = segment.count >= shortestLegacyRun && segment.allSatisfy(\.isHexadecimalDigit)
    return isRun || segment.count >= shortestLegacySegment ? segment.count : 0
  }

  /// Appends the visible start of an ID, whole characters of it.
  private static func append(_ id: ArraySlice<UInt8>, to kept: inout [UInt8]) {
    kept += String(decoding: id, as: UTF8.self).prefix(visibleDigits).utf8
    kept += "…".utf8
  }
}
