import Testing

@testable import NetDiscovery

@Suite("SavedListener, writing")
struct SavedListenerWritingTests {
  struct WritingRow: NamedRow {
    let name: String
    let before: String?
    var host: String?
    var port: UInt16 = 5000
    var after = ""
    var code: DiscoveryError.Code?
  }

  static let rows: [WritingRow] = [
    .init(name: "no file", before: nil, after: "{\n  \"port\": 5000\n}\n"),
    .init(
      name: "no file, a host", before: nil, host: "10.0.0.5",
      after: "{\n  \"host\": \"10.0.0.5\",\n  \"port\": 5000\n}\n"),
    .init(name: "an empty object", before: "{}", after: "{\"port\": 5000}"),
    .init(
      name: "an empty object, both", before: "{}", host: "::",
      after: "{\"host\": \"::\", \"port\": 5000}"),
    .init(name: "an empty object with a blank", before: "{ }", after: "{ \"port\": 5000 }"),
    .init(
      name: "an empty object of two lines", before: "{\n}\n", after: "{\n  \"port\": 5000\n}\n"),
    .init(
      name: "an empty object, lines of Windows", before: "{\r\n}",
      after: "{\r\n  \"port\": 5000\r\n}"),
    .init(name: "a port", before: #"{"port":1}"#, after: #"{"port":5000}"#),
    .init(name: "the same port", before: #"{"port" : 5000 }"#, after: #"{"port" : 5000 }"#),
    .init(
      name: "the same port, spelled oddly", before: #"{"port":5.0e3}"#, after: #"{"port":5.0e3}"#),
    .init(name: "null", before: #"{"port":null,"a":1}"#, after: #"{"port":5000,"a":1}"#),
    .init(
      name: "a null host stays without one", before: #"{"host": null}"#,
      after: #"{"host": null, "port": 5000}"#),
    .init(
      name: "a null host with one", before: #"{"host": null, "port": 5000}"#, host: "10.0.0.5",
      after: #"{"host": "10.0.0.5", "port": 5000}"#),
    .init(
      name: "the saved host stays where none is given", before: #"{"host":"10.0.0.9"}"#,
      after: #"{"host":"10.0.0.9","port":5000}"#),
    .init(
      name: "another host", before: #"{"host":"10.0.0.9", "port":1}"#, host: "FD00:0::5",
      after: #"{"host":"fd00::5", "port":5000}"#),
    .init(
      name: "a host in another spelling", before: #"{"host":"*","port":5000}"#, host: "::",
      after: #"{"host":"*","port":5000}"#),
    .init(
      name: "a wrong host is replaced", before: #"{"host":"a b","port":5000}"#, host: "0.0.0.0",
      after: #"{"host":"0.0.0.0","port":5000}"#),
    .init(
      name: "both at once, the longer first", before: #"{"host":"x","z":[1],"port":1}"#,
      host: "long-name.example.com",
      after: #"{"host":"long-name.example.com","z":[1],"port":5000}"#),
    .init(name: "one member on one line", before: #"{"a": 1}"#, after: #"{"a": 1, "port": 5000}"#),
    .init(name: "one member, tight", before: #"{"a":1}"#, after: #"{"a":1,"port":5000}"#),
    .init(
      name: "members on one line", before: #"{ "a" : 1 , "b" : 2 }"#,
      after: #"{ "a" : 1 , "b" : 2 , "port" : 5000 }"#),
    .init(
      name: "a line each", before: "{\n\t\"a\": 1\n}\n", host: "::",
      after: "{\n\t\"a\": 1,\n\t\"host\": \"::\",\n\t\"port\": 5000\n}\n"),
    .init(
      name: "a line each, lines of Windows", before: "{\r\n    \"a\":1,\r\n    \"b\":2\r\n}\r\n",
      after: "{\r\n    \"a\":1,\r\n    \"b\":2,\r\n    \"port\":5000\r\n}\r\n"),
    .init(
      name: "commas first", before: "{ \"a\": 1\n, \"b\": 2\n}",
      after: "{ \"a\": 1\n, \"b\": 2\n, \"port\": 5000\n}"),
    .init(
      name: "an escaped name", before: #"{"p\u006frt": 1}"#, after: #"{"p\u006frt": 5000}"#),
    .init(
      name: "the same names further in",
      before: #"{"a":{"port":1,"host":"x"},"b":[{"port":2}],"port":3}"#,
      after: #"{"a":{"port":1,"host":"x"},"b":[{"port":2}],"port":5000}"#),
    .init(
      name: "the names as texts", before: #"{"a":"port","b":"}, \"port\": 1","port":3}"#,
      after: #"{"a":"port","b":"}, \"port\": 1","port":5000}"#),
    .init(
      name: "numbers keep their spelling", before: #"{"a":1.50,"b":-0,"c":1E+2,"port":3}"#,
      after: #"{"a":1.50,"b":-0,"c":1E+2,"port":5000}"#),
    .init(
      name: "other letters and escapes", before: #"{"ä":"\u00e4\/\\","😀":"😀","port":3}"#,
      after: #"{"ä":"\u00e4\/\\","😀":"😀","port":5000}"#),
    .init(
      name: "a byte-order mark", before: "\u{FEFF}{\"port\":3}", after: "\u{FEFF}{\"port\":5000}"),
    .init(
      name: "white space around", before: "\n {\"port\":3}\t\n", after: "\n {\"port\":5000}\t\n"),
    .init(
      name: "names in upper case are others", before: #"{"Port":3}"#,
      after: #"{"Port":3,"port":5000}"#),
    .init(name: "empty", before: "", code: .json),
    .init(name: "no JSON", before: "port = 1", code: .json),
    .init(name: "cut short", before: #"{"port":1"#, code: .json),
    .init(name: "an array", before: "[1]", code: .json),
    .init(name: "something behind", before: #"{"port":1} x"#, code: .json),
    .init(name: "a comma too many", before: #"{"port":1,}"#, code: .json),
    .init(name: "a port as text", before: #"{"port":"1"}"#, code: .json),
    .init(name: "a port that is none", before: #"{"port":70000}"#, code: .saved),
    .init(name: "the port twice", before: #"{"port":1,"port":5000}"#, code: .saved),
    .init(name: "the host twice", before: #"{"host":"a","host":"a"}"#, code: .saved),
    .init(name: "the port twice, once escaped", before: #"{"port":1,"\u0070ort":1}"#, code: .saved),
  ]

  @Test("edits", arguments: rows)
  func edits(_ row: WritingRow) throws {
    let host = try row.host.map { try Listener.Bind(parsing: $0) }
    let result = Result { () throws(DiscoveryError) in
      try SavedListener.document(row.before.map { Array($0.utf8) }, host: host, port: row.port)
    }
    switch result {
    case .success(let bytes):
      #expect(row.code == nil)
      #expect(String(decoding: bytes, as: UTF8.self) == row.after)
      let again = try SavedListener.document(bytes, host: host, port: row.port)
      #expect(again == bytes)
    case .failure(let error):
      #expect(error.code == row.code, "\(error)")
      #expect(error.detail.contains("the saved listener"))
    }
  }

  @Test("UTF-16 is refused, not spoiled")
  func utf16() {
    let text = Array(#"{"port":1}"#.utf8).flatMap { byte -> [UInt8] in [byte, 0] }
    for bytes in [text, [0xFF, 0xFE] + text] {
      let error = #expect(throws: DiscoveryError.self) {
        try SavedListener.document(bytes, host: nil, port: 2)
      }
      #expect(error?.code == .json)
    }
  }

  @Test("nesting to 512 levels is kept, more is refused", arguments: [510, 100_000])
  func nesting(_ depth: Int) throws {
    let inner = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let text = "{\"a\":\(inner),\"port\":1}"
    guard depth < 512 else {
      let error = #expect(throws: DiscoveryError.self) {
        try SavedListener.document(Array(text.utf8), host: nil, port: 2)
      }
      #expect(error?.code == .json)
      return
    }
    let after = try SavedListener.document(Array(text.utf8), host: nil, port: 2)
    #expect(String(decoding: after, as: UTF8.self) == "{\"a\":\(inner),\"port\":2}")
  }

  @Test("bytes at N and N + 1", arguments: [0, 1])
  func limit(_ more: Int) throws {
    let bytes = Array(#"{"port":1}"#.utf8)
    var limits = DiscoveryLimits()
    limits.maxBytes = bytes.count - more
    let result = Result { () throws(DiscoveryError) in
      try SavedListener.document(bytes, host: nil, port: 2, limits: limits)
    }
    switch result {
    case .success: #expect(more == 0)
    case .failure(let error): #expect(more == 1 && error.code == .limit)
    }
  }

  @Test("very many members take no hang", .timeLimit(.minutes(1)))
  func many() throws {
    let text = "{" + (0..<200_000).map { "\"m\($0)\": 1, " }.joined() + "\"port\": 1}"
    let after = try SavedListener.document(Array(text.utf8), host: nil, port: 2)
    #expect(String(decoding: after, as: UTF8.self) == text.dropLast(2) + "2}")
  }
}
