import PlistKit

/// What must hold for an error or a diagnostic: one of the codes that are documented, one line, and a
/// place that lies in the bytes.
enum ErrorCheck {
  static func check(
    _ error: PlistError, in bytes: [UInt8], _ codes: Set<PlistError.Code>
  ) throws(FuzzFailure) {
    try require(codes.contains(error.code), "an error of code \(error.code): \(error)")
    try check(error)
    try check(error.location, in: bytes)
  }

  static func check(_ error: PlistError) throws(FuzzFailure) {
    try check(sentence: error.detail)
  }

  static func check(sentence: String) throws(FuzzFailure) {
    try require(!sentence.isEmpty, "an error says nothing")
    try require(sentence.utf8.count < 1000, "an error of \(sentence.utf8.count) bytes")
    try require(!sentence.hasSuffix("."), "an error ends in a full stop: \(sentence)")
    let hasControls = sentence.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    try require(!hasControls, "an error holds control characters: \(sentence.debugDescription)")
  }

  static func check(_ location: PlistLocation?, in bytes: [UInt8]) throws(FuzzFailure) {
    switch location {
    case nil: return
    case .offset(let offset):
      try require((0...bytes.count).contains(offset), "a place outside the bytes: \(offset)")
    case .line(let line, let column):
      // A byte of another encoding is up to 4 in UTF-8, in which columns count.
      try require(
        (1...(bytes.count + 1)).contains(line) && (1...(4 * bytes.count + 1)).contains(column),
        "a place outside the text: line \(line), column \(column)")
    }
  }
}
