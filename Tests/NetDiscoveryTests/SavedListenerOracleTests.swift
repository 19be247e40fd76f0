import Foundation
import Testing

@testable import NetDiscovery

/// Python's `json` as a second reader: after an edit all else is the same, in the same order.
@Suite(
  "Saved listeners against Python's json", .enabled(if: Tool.python != nil, "python3 is missing"))
struct SavedListenerOracleTests {
  struct Job: Encodable {
    let before: String
    let after: String
    let host: String?
    let port: Int
  }

  /// Reads objects as lists of pairs and numbers as texts, so that order, repeats and spelling count.
  static let script = """
    import json, sys
    def read(text):
        text = text.removeprefix("\\ufeff")
        return json.loads(text, object_pairs_hook=lambda pairs: ("object", pairs),
            parse_int=lambda t: ("number", t), parse_float=lambda t: ("number", t))
    bad = []
    for number, job in enumerate(json.load(sys.stdin)):
        old, new = read(job["before"])[1], read(job["after"])[1]
        mine = ("host", "port")
        same = [p for p in old if p[0] not in mine] == [p for p in new if p[0] not in mine]
        names = [n for n, _ in new]
        same = same and names[:len(old)] == [n for n, _ in old]
        values, before = dict(new), dict(old)
        port = float(values["port"][1]) == job["port"]
        host = values.get("host") == (job.get("host") or before.get("host"))
        if not (same and port and host and names.count("port") == 1 and names.count("host") < 2):
            bad.append(number)
    json.dump(bad, sys.stdout)
    """

  @Test("random documents")
  func random() throws {
    var generator = SeededGenerator(state: 5)
    var jobs: [Job] = []
    for _ in 0..<3000 {
      var random = RandomJSON(&generator)
      let before = random.document()
      let host =
        Bool.random(using: &generator) ? "10.0.0.\(Int.random(in: 1...9, using: &generator))" : nil
      let port = UInt16.random(in: 1 ... .max, using: &generator)
      let after = try SavedListener.document(
        Array(before.utf8), host: host.map { try Listener.Bind(parsing: $0) }, port: port)
      jobs.append(
        Job(
          before: before, after: String(decoding: after, as: UTF8.self), host: host, port: Int(port)
        ))
    }
    let python = try #require(Tool.python)
    let output = try python.output(["-c", Self.script], input: JSONEncoder().encode(jobs))
    let bad = try JSONDecoder().decode([Int].self, from: output)
    #expect(bad.isEmpty, "\(bad.prefix(3).map { (jobs[$0].before, jobs[$0].after) })")
  }
}

/// Objects of any members and any white space, with or without a host and a port.
private struct RandomJSON {
  private var generator: SeededGenerator

  init(_ generator: inout SeededGenerator) {
    self.generator = SeededGenerator(state: generator.next())
  }

  mutating func document() -> String {
    var members = (0..<number(5)).map { index in
      (pick(["a\(index)", "\\u0061\(index)", "ä\(index)", "x port\(index)"]), value(depth: 3))
    }
    if flip() {
      members.insert(
        (pick(["port", "p\\u006Frt"]), pick(["1", "8.0e1", "null", "65535"])),
        at: number(members.count))
    }
    if flip() {
      members.insert(
        (pick(["host", "h\\u006fst"]), pick(["\"::\"", "null", "\"10.0.0.1\""])),
        at: number(members.count))
    }
    let texts = members.map { space() + "\"\($0.0)\"" + space() + ":" + space() + $0.1 + space() }
    let inner = texts.isEmpty ? space() : texts.joined(separator: ",")
    return (flip() ? "" : "\u{FEFF}") + space() + "{" + inner + "}" + space()
  }

  private mutating func value(depth: Int) -> String {
    switch number(depth > 0 ? 5 : 3) {
    case 0: return pick(["0", "-0", "1.50", "1E+2", "12345678901234567890"])
    case 1: return pick(["true", "false", "null"])
    case 2, 3: return pick(["\"\"", "\"port\"", "\"}{][,:\"", "\"\\\"\\\\\"", "\"\\u00e4😀\""])
    case 4:
      let inner = (0..<number(2)).map { _ in space() + value(depth: depth - 1) + space() }
      return "[" + inner.joined(separator: ",") + "]"
    default:
      let names = ["port", "host", "x"].prefix(number(3))
      let inner = names.map { "\"\($0)\":" + space() + value(depth: depth - 1) }
      return "{" + inner.joined(separator: ",") + "}"
    }
  }

  private mutating func space() -> String { pick(["", "", " ", "\n  ", "\r\n\t"]) }
  private mutating func flip() -> Bool { Bool.random(using: &generator) }
  private mutating func number(_ highest: Int) -> Int {
    Int.random(in: 0...highest, using: &generator)
  }
  private mutating func pick(_ texts: [String]) -> String { texts[number(texts.count - 1)] }
}
