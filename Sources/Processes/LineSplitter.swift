/// Lines out of bytes that come piece by piece.
///
/// A line ends with a line feed or a carriage return, as those of a display that is drawn over do. Of a line
/// that is longer than the limit its beginning is kept; empty lines are left out.
struct LineSplitter {
  let maxBytes: Int
  private var line: [UInt8] = []

  init(maxBytes: Int) { self.maxBytes = maxBytes }

  /// Takes bytes in, and gives each line that they end.
  mutating func add(_ bytes: [UInt8], _ body: ([UInt8]) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      keep(rest[..<end])
      finish(body)
      rest = rest[(end + 1)...]
    }
    keep(rest)
  }

  /// Gives what stands behind the last line end.
  mutating func finish(_ body: ([UInt8]) -> Void) {
    if !line.isEmpty { body(line) }
    line = []
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    line += bytes.prefix(max(0, maxBytes - line.count))
  }
}
