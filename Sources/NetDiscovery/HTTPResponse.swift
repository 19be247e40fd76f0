/// Where the bytes of an answer come from.
protocol ByteSource {
  /// What comes next; nothing at the end.
  mutating func next() throws(LocalSocket.Failure) -> [UInt8]
}

extension LocalSocket: ByteSource {
  func next() throws(Failure) -> [UInt8] { try receive() }
}

/// What a server answered.
struct HTTPResponse: Sendable, Equatable {
  let status: Int
  let body: [UInt8]

  /// Why there is no answer.
  enum Failure: Error, Equatable {
    case source(LocalSocket.Failure)
    /// Not as RFC 9112 has it; a sentence to follow "its answer".
    case malformed(String)
    /// Longer than a bound allows; a sentence likewise.
    case limit(String)
  }
}

/// Reads one answer of HTTP/1.0 or 1.1 (RFC 9112).
///
/// No HTTP library does this, since the offline tool links nothing that can reach other machines.
/// As strict as a daemon's answers are regular: lines end in CR and LF, a length is given once and in
/// one way, no transfer coding but `chunked` is known.
struct HTTPResponseReader<Source: ByteSource> {
  typealias Failure = HTTPResponse.Failure

  private var source: Source
  private let limits: DiscoveryLimits
  private var buffer: [UInt8] = []
  private var position = 0

  init(_ source: Source, limits: DiscoveryLimits) {
    self.source = source
    self.limits = limits
  }

  /// The answer, after any that are interim (RFC 9110, 15.2).
  mutating func response() throws(Failure) -> HTTPResponse {
    var room = limits.maxHeaderBytes
    while true {
      let status = try Self.status(of: try line(&room))
      let framing = try fields(&room)
      if 100..<200 ~= status, status != 101 { continue }
      let isEmpty = status == 204 || status == 304
      return HTTPResponse(status: status, body: isEmpty ? [] : try body(framing))
    }
  }

  /// How the end of a body is told (RFC 9112, 6.3).
  private enum Framing {
    case length(Int), chunked, untilEnd
  }

  private static func status(of line: String) throws(Failure) -> Int {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0" else {
      throw .malformed("is no HTTP: it starts with \(quoted(line))")
    }
    guard parts[1].utf8.count == 3, let status = Int(decimal: parts[1]), status >= 100 else {
      throw .malformed("has \(quoted(parts[1])) for a status")
    }
    return status
  }

  private mutating func fields(_ room: inout Int) throws(Failure) -> Framing {
    var lengths: [String] = []
    var codings: [String] = []
    var count = 0
    while case let line = try line(&room), !line.isEmpty {
      count += 1
      guard count <= limits.maxHeaderFields else {
        throw .limit("has more than \(limits.maxHeaderFields) header fields")
      }
      guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
      else { throw .malformed("has a header field without a name: \(quoted(line))") }
      let value = String(line[line.utf8.index(after: colon)...].trimmingBlanks)
      switch line[..<colon].lowercased() {
      case "content-length": lengths.append(value)
      case "transfer-encoding": codings.append(value)
      default: break
      }
    }
    return try Self.framing(lengths: lengths, codings: codings)
  }

  private static func framing(
    lengths: [String], codings: [String]
  ) throws(Failure) -> Framing {
    guard lengths.count + codings.count <= 1 else {
      throw .malformed("says more than once where its body ends")
    }
    if let coding = codings.first {
      guard coding.lowercased() == "chunked" else {
        throw .malformed("has the transfer coding \(quoted(coding)), which is not known here")
      }
      return .chunked
    }
    guard let text = lengths.first else { return .untilEnd }
    guard let length = Int(decimal: text) else {
      throw .malformed("has \(quoted(text)) for a length")
    }
    return .length(length)
  }

  private mutating func body(_ framing: Framing) throws(Failure) -> [UInt8] {
    var body: [UInt8] = []
    switch framing {
    case .length(let length): try append(length, to: &body)
    case .chunked:
      while case let size = try chunkSize(), size > 0 {
        try append(size, to: &body)
        var end: [UInt8] = []
        try append(2, to: &end)
        guard end == Array("\r\n".utf8) else { throw .malformed("has a chunk of another size") }
      }
      var room = limits.maxHeaderBytes
      _ = try fields(&room)
    case .untilEnd:
      while try hasMore() {
        try checkRoom(for: buffer.count - position, after: body.count)
        body += buffer[position...]
        position = buffer.count
      }
    }
    return body
  }

  /// The size that a chunk's first line gives in hexadecimal; what is behind `;` says nothing of it
  /// (RFC 9112, 7.1).
  private mutating func chunkSize() throws(Failure) -> Int {
    var room = limits.maxHeaderBytes
    let line = try line(&room)
    let digits = line.prefix { $0 != ";" }.trimmingBlanks
    guard !digits.isEmpty, digits.utf8.allSatisfy(isHexDigit), let size = Int(digits, radix: 16)
    else { throw .malformed("has \(quoted(digits)) for the size of a chunk") }
    return size
  }

  private func checkRoom(for count: Int, after taken: Int) throws(Failure) {
    guard count <= limits.maxBytes - taken else {
      throw .limit("has more than \(limits.maxBytes) bytes")
    }
  }

  /// Takes exactly so many bytes.
  private mutating func append(_ count: Int, to body: inout [UInt8]) throws(Failure) {
    try checkRoom(for: count, after: body.count)
    var missing = count
    while missing > 0 {
      guard try hasMore() else { throw .malformed("ends \(missing) bytes too early") }
      let taken = min(missing, buffer.count - position)
      body += buffer[position..<position + taken]
      position += taken
      missing -= taken
    }
  }

  /// The next line without its end, whose bytes are taken from the room that there is for lines.
  private mutating func line(_ room: inout Int) throws(Failure) -> String {
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "\n") {
      guard room > 0 else { throw .limit("has more lines than there is room for before its body") }
      guard try hasMore() else { throw .malformed("is cut short") }
      room -= 1
      bytes.append(buffer[position])
      position += 1
    }
    guard bytes.dropLast().last == UInt8(ascii: "\r") else {
      throw .malformed("has a line that ends without a carriage return")
    }
    bytes.removeLast(2)
    guard !bytes.contains(UInt8(ascii: "\r")), !bytes.contains(0) else {
      throw .malformed("has a control character in a line")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sees to it that a byte is there; false at the end.
  private mutating func hasMore() throws(Failure) -> Bool {
    guard position == buffer.count else { return true }
    position = 0
    do throws(LocalSocket.Failure) { buffer = try source.next() } catch { throw .source(error) }
    return !buffer.isEmpty
  }
}

extension Int {
  /// A number of decimal digits alone; nil for anything else, and where it is too large.
  fileprivate init?(decimal text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}

extension StringProtocol {
  /// The text without blanks and tabulators at its ends.
  fileprivate var trimmingBlanks: SubSequence {
    var text = self[...]
    while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return text
  }
}
