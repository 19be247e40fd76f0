import Testing

@testable import NetDiscovery

/// Bytes in pieces, then the end or a failure.
struct Pieces: ByteSource {
  var pieces: ArraySlice<[UInt8]>
  var failure: LocalSocket.Failure?

  mutating func next() throws(LocalSocket.Failure) -> [UInt8] {
    if let piece = pieces.popFirst() { return piece }
    if let failure { throw failure }
    return []
  }
}

@Suite("HTTPResponse")
struct HTTPResponseTests {
  typealias Failure = HTTPResponse.Failure

  static func response(
    _ bytes: [UInt8], pieces size: Int = 16384, failure: LocalSocket.Failure? = nil,
    limits: DiscoveryLimits = DiscoveryLimits()
  ) throws(Failure) -> HTTPResponse {
    let pieces = stride(from: 0, to: bytes.count, by: size).map {
      Array(bytes[$0..<min($0 + size, bytes.count)])
    }
    var reader = HTTPResponseReader(Pieces(pieces: pieces[...], failure: failure), limits: limits)
    return try reader.response()
  }

  static func response(
    _ text: String, limits: DiscoveryLimits = DiscoveryLimits()
  ) throws(Failure) -> HTTPResponse {
    try response(Array(text.utf8), limits: limits)
  }

  struct GoodRow: NamedRow {
    let name: String
    let text: String
    var status = 200
    var body = "{}"
    /// Whether an answer that is cut short is seen to be.
    var hasEnd = true
  }

  static let good: [GoodRow] = [
    .init(name: "a length", text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
    .init(
      name: "a length of zero", text: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", body: ""),
    .init(
      name: "more than the length", text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{}"),
    .init(
      name: "names in any case and blanks about values",
      text: "HTTP/1.1 200 OK\r\nX:\r\ncONTENT-lENGTH: \t 2 \t\r\n\r\n{}"),
    .init(name: "no reason", text: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\n{}"),
    .init(name: "an empty reason", text: "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\n{}"),
    .init(
      name: "chunks",
      text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\n{\r\n01\r\n}\r\n0\r\n\r\n"),
    .init(
      name: "chunks with extensions and trailers",
      text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "2 ;a=\"b\"\r\n{}\r\n000;c\r\nX: y\r\nZ:\r\n\r\n"),
    .init(
      name: "a chunk of 26 bytes",
      text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n",
      body: "abcdefghijklmnopqrstuvwxyz"),
    .init(name: "until the end", text: "HTTP/1.1 200 OK\r\n\r\n{}", hasEnd: false),
    .init(name: "until the end, of version 1.0", text: "HTTP/1.0 200 OK\r\n\r\n{}", hasEnd: false),
    .init(
      name: "after interim answers",
      text: "HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
    .init(
      name: "no body by its status", text: "HTTP/1.1 204 No Content\r\nA: b\r\n\r\n", status: 204,
      body: ""),
    .init(
      name: "no body by its status, with the length of one that was not sent",
      text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 6\r\n\r\n", status: 304, body: ""),
    .init(
      name: "a refusal", text: "HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\ndenied",
      status: 403, body: "denied"),
    .init(
      name: "another protocol", text: "HTTP/1.1 101 Switching\r\nContent-Length: 2\r\n\r\n{}",
      status: 101),
  ]

  @Test("an answer is read, in pieces of any size", arguments: good)
  func accepted(_ row: GoodRow) throws {
    let expected = HTTPResponse(status: row.status, body: Array(row.body.utf8))
    for size in [1, 2, 3, 5, 1000] {
      // What comes after the end is not waited for.
      let failure: LocalSocket.Failure? = row.hasEnd ? .timeout : nil
      #expect(try Self.response(Array(row.text.utf8), pieces: size, failure: failure) == expected)
    }
  }

  @Test("an answer that is cut off at any byte is none", arguments: good)
  func truncated(_ row: GoodRow) throws {
    let bytes = Array(row.text.utf8)
    let body = Array(row.body.utf8)
    let whole = row.name == "more than the length" ? bytes.count - 2 : bytes.count
    for end in 0..<whole {
      let cut = Array(bytes[..<end])
      if row.hasEnd || end < bytes.count - body.count {
        let failure = #expect(throws: Failure.self) { try Self.response(cut) }
        guard case .malformed = failure else {
          Issue.record("cut off at \(end): \(String(describing: failure))")
          continue
        }
      } else {
        #expect(try Self.response(cut).body.count == end - (bytes.count - body.count))
      }
      #expect(throws: Failure.source(.timeout)) { try Self.response(cut, failure: .timeout) }
    }
  }

  @Test("what a damaged answer comes to does not depend on how its bytes arrive")
  func damaged() {
    var generator = SeededGenerator(state: 7)
    let odd = Array("\r\n:;- 0123456789afx\0".utf8) + [0x80, 0xff]
    var limits = DiscoveryLimits()
    limits.maxBytes = 64
    func outcome(_ bytes: [UInt8], _ size: Int) -> Result<HTTPResponse, Failure> {
      Result { () throws(Failure) in try Self.response(bytes, pieces: size, limits: limits) }
    }
    for row in Self.good {
      for _ in 0..<400 {
        var bytes = Array(row.text.utf8)
        for _ in 0...Int.random(in: 0..<3, using: &generator) {
          let place = Int.random(in: bytes.indices, using: &generator)
          let byte = odd.randomElement(using: &generator) ?? 0
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: bytes[place] = byte
          case 1: bytes.insert(byte, at: place)
          default: bytes.remove(at: place)
          }
        }
        let whole = outcome(bytes, bytes.count)
        #expect(outcome(bytes, 1) == whole)
        #expect(outcome(bytes, 7) == whole)
        if case .success(let response) = whole { #expect(response.body.count <= limits.maxBytes) }
      }
    }
  }

  struct BadRow: NamedRow {
    let name: String
    let text: String
    let mention: String

    /// A good answer with one part replaced.
    init(
      _ name: String, line: String = "HTTP/1.1 200 OK", fields: String = "Content-Length: 2\r\n",
      body: String = "{}", mention: String
    ) {
      (self.name, self.mention) = (name, mention)
      text = "\(line)\r\n\(fields)\r\n\(body)"
    }

    /// An answer in chunks.
    init(_ name: String, chunks: String, mention: String) {
      self.init(
        name, fields: "Transfer-Encoding: chunked\r\n", body: chunks, mention: mention)
    }
  }

  static let bad: [BadRow] = [
    .init("another protocol", line: "SSH-2.0-OpenSSH_9.2", mention: "is no HTTP"),
    .init("a web page", line: "<html>", mention: "is no HTTP"),
    .init("version 2", line: "HTTP/2 200 OK", mention: "is no HTTP"),
    .init("a blank before it", line: " HTTP/1.1 200 OK", mention: "is no HTTP"),
    .init("an empty line before it", line: "\r\nHTTP/1.1 200 OK", mention: "is no HTTP"),
    .init("no status", line: "HTTP/1.1", mention: "is no HTTP"),
    .init("two blanks", line: "HTTP/1.1  200 OK", mention: "'' for a status"),
    .init("a status of two digits", line: "HTTP/1.1 20 OK", mention: "'20' for a status"),
    .init("a status of four digits", line: "HTTP/1.1 2000 OK", mention: "'2000' for a status"),
    .init("a status below 100", line: "HTTP/1.1 099 OK", mention: "'099' for a status"),
    .init("a signed status", line: "HTTP/1.1 +20 OK", mention: "'+20' for a status"),
    .init("a status of other digits", line: "HTTP/1.1 ２00 OK", mention: "for a status"),
    .init("a carriage return in a line", line: "HTTP/1.1 200 O\rK", mention: "control character"),
    .init("a null in a line", line: "HTTP/1.1 200 O\0K", mention: "control character"),
    .init(
      "a bare line feed", line: "HTTP/1.1 200 OK\nContent-Length: 2",
      mention: "without a carriage return"),
    .init("a field without colon", fields: "Content-Length 2\r\n", mention: "without a name"),
    .init("a field without name", fields: ": 2\r\n", mention: "without a name"),
    .init("a blank before the colon", fields: "Content-Length : 2\r\n", mention: "without a name"),
    .init("a folded line", fields: "A: b\r\n c: d\r\n", mention: "without a name"),
    .init(
      "two lengths", fields: "Content-Length: 2\r\nContent-Length: 3\r\n",
      mention: "more than once"),
    .init(
      "the same length twice", fields: "Content-Length: 2\r\nContent-Length: 2\r\n",
      mention: "more than once"),
    .init(
      "a length and chunks", fields: "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
      mention: "more than once"),
    .init(
      "another coding", fields: "Transfer-Encoding: gzip, chunked\r\n", mention: "'gzip, chunked'"),
    .init("a list of lengths", fields: "Content-Length: 2, 2\r\n", mention: "'2, 2' for a length"),
    .init("a negative length", fields: "Content-Length: -1\r\n", mention: "'-1' for a length"),
    .init("a signed length", fields: "Content-Length: +2\r\n", mention: "'+2' for a length"),
    .init("an empty length", fields: "Content-Length:\r\n", mention: "'' for a length"),
    .init("a hexadecimal length", fields: "Content-Length: 0x2\r\n", mention: "for a length"),
    .init(
      "a length of 2^63", fields: "Content-Length: 9223372036854775808\r\n",
      mention: "'9223372036854775808' for a length"),
    .init(
      "a length of 400 digits", fields: "Content-Length: \(String(repeating: "9", count: 400))\r\n",
      mention: "for a length"),
    .init("a body that is too short", body: "{", mention: "1 bytes too early"),
    .init("a chunk of no size", chunks: "\r\n{}\r\n0\r\n\r\n", mention: "'' for the size"),
    .init("a chunk of negative size", chunks: "-1\r\n{}\r\n0\r\n\r\n", mention: "'-1'"),
    .init("a chunk of signed size", chunks: "+2\r\n{}\r\n0\r\n\r\n", mention: "'+2'"),
    .init("a chunk of 0x2", chunks: "0x2\r\n{}\r\n0\r\n\r\n", mention: "'0x2'"),
    .init(
      "a chunk of 2^64 - 1", chunks: "ffffffffffffffff\r\n{}\r\n0\r\n\r\n", mention: "the size"),
    .init(
      "a chunk of 2^64 + 2", chunks: "10000000000000002\r\n{}\r\n0\r\n\r\n", mention: "the size"),
    .init("a chunk of 2^63", chunks: "8000000000000000\r\n{}\r\n0\r\n\r\n", mention: "the size"),
    .init("a chunk longer than it says", chunks: "1\r\n{}\r\n0\r\n\r\n", mention: "another size"),
    .init("a chunk shorter than it says", chunks: "3\r\n{}\r\n0\r\n\r\n", mention: "another size"),
    .init("a chunk with a bare line feed", chunks: "2\n{}\n0\n\n", mention: "carriage return"),
    .init("trailers that are none", chunks: "2\r\n{}\r\n0\r\nA\r\n\r\n", mention: "without a name"),
    .init(
      "a switch of protocols in between",
      line: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 20", mention: "'20' for a status"),
  ]

  @Test("an answer that is malformed", arguments: bad)
  func malformed(_ row: BadRow) throws {
    let failure = #expect(throws: Failure.self) { try Self.response(row.text) }
    guard case .malformed(let problem) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(problem.contains(row.mention), "\(problem)")
    #expect(!problem.contains { $0.isNewline || $0 == "\0" })
  }

  struct LimitRow: NamedRow {
    let name: String
    let text: String
    let bound: any WritableKeyPath<DiscoveryLimits, Int> & Sendable
    let value: Int
  }

  static let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"

  static let limits: [LimitRow] = [
    .init(name: "bytes of a length", text: head + "{  }", bound: \.maxBytes, value: 4),
    .init(
      name: "bytes of chunks",
      text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\n{  \r\n1\r\n}\r\n0\r\n\r\n", bound: \.maxBytes, value: 4),
    .init(
      name: "bytes until the end", text: "HTTP/1.1 200 OK\r\n\r\n{  }", bound: \.maxBytes, value: 4),
    .init(
      name: "bytes of the head", text: head + "{  }", bound: \.maxHeaderBytes,
      value: head.utf8.count),
    .init(
      name: "bytes of all heads", text: "HTTP/1.1 100 Continue\r\n\r\n" + head + "{  }",
      bound: \.maxHeaderBytes, value: head.utf8.count + 25),
    .init(
      name: "header fields", text: "HTTP/1.1 200 OK\r\nA:\r\nB:\r\nContent-Length: 0\r\n\r\n",
      bound: \.maxHeaderFields, value: 3),
  ]

  @Test("each bound holds at its number and not beyond", arguments: limits)
  func bounds(_ row: LimitRow) throws {
    var limits = DiscoveryLimits()
    limits[keyPath: row.bound] = row.value
    #expect(try Self.response(row.text, limits: limits).status == 200)
    limits[keyPath: row.bound] -= 1
    let failure = #expect(throws: Failure.self) { try Self.response(row.text, limits: limits) }
    guard case .limit = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  /// A source that gives the same piece for ever.
  struct Endless: ByteSource {
    let first: String
    let piece: String
    var isBegun = false

    mutating func next() -> [UInt8] {
      defer { isBegun = true }
      return Array((isBegun ? piece : first).utf8)
    }
  }

  static let endless: [(String, String)] = [
    ("a", "a"), ("HTTP/1.1 200 OK\r\n", "A: b\r\n"), ("HTTP/1.1 200 OK\r\nA:", "b"),
    ("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"),
    ("HTTP/1.1 200 OK\r\n\r\n", String(repeating: "a", count: 65536)),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "A: b\r\n"),
  ]

  @Test("an answer without end is given up", arguments: endless)
  func unending(_ first: String, _ piece: String) throws {
    var reader = HTTPResponseReader(
      Endless(first: first, piece: piece), limits: DiscoveryLimits())
    do throws(Failure) {
      _ = try reader.response()
      Issue.record("it has an end")
    } catch {
      guard case .limit = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
