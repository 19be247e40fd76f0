import Foundation
import PlistKit
import Testing

@testable import CodeSigning

@Suite struct CodeResourcesParsingTests {
  private static let sha1 = base64(20)
  private static let sha256 = base64(32)

  private static func base64(_ count: Int, _ byte: UInt8 = 7) -> String {
    "<data>\(Data(repeating: byte, count: count).base64EncodedString())</data>"
  }

  private static func xml(_ body: String) -> [UInt8] {
    Array("<plist version=\"1.0\"><dict>\(body)</dict></plist>".utf8)
  }

  /// The binary form of an XML property list.
  private static func binary(_ xml: [UInt8]) throws -> [UInt8] {
    let document = try PlistDocument(parsing: xml)
    return try PlistDocument(root: document.root, format: .binary).serialized()
  }

  private static func error(
    _ bytes: [UInt8], _ limits: SigningLimits = .standard
  ) -> SigningError? {
    do throws(SigningError) {
      _ = try CodeResources(parsing: bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  // MARK: - What is right

  private static let whole = xml(
    """
    <key>files</key><dict>
      <key>a</key>\(sha1)
      <key>b/c</key><dict><key>hash</key>\(sha1)<key>optional</key><true/></dict>
    </dict>
    <key>files2</key><dict>
      <key>a</key><dict><key>hash</key>\(sha1)<key>hash2</key>\(sha256)</dict>
      <key>b/c</key><dict><key>hash2</key>\(sha256)<key>optional</key><true/><key>x</key><real>1</real></dict>
      <key>d</key>\(sha1)
      <key>l</key><dict><key>symlink</key><string>a</string></dict>
      <key>K.framework</key><dict><key>cdhash</key>\(sha1)<key>requirement</key><string>r</string></dict>
      <key>R.framework</key><dict><key>requirement</key><string>r</string></dict>
    </dict>
    <key>rules</key><dict><key>^</key><true/><key>^o</key><false/></dict>
    <key>rules2</key><dict>
      <key>^x</key><dict><key>omit</key><true/><key>weight</key><real>20</real></dict>
      <key>^y</key><dict><key>optional</key><true/><key>weight</key><integer>30</integer></dict>
      <key>^z</key><dict><key>nested</key><true/><key>optional</key><false/><key>q</key><string>q</string></dict>
    </dict>
    <key>other</key><array/>
    """)

  private static let old = [UInt8](repeating: 7, count: 20)
  private static let new = [UInt8](repeating: 7, count: 32)
  private static let expected = CodeResources(
    version1: .init(
      entries: [
        .init(path: "a", content: .file(sha1: old, sha256: nil)),
        .init(path: "b/c", content: .file(sha1: old, sha256: nil), isOptional: true),
      ],
      rules: [.init("^"), .init("^o", omits: true)]),
    version2: .init(
      entries: [
        .init(path: "a", content: .file(sha1: old, sha256: new)),
        .init(path: "b/c", content: .file(sha1: nil, sha256: new), isOptional: true),
        .init(path: "d", content: .file(sha1: old, sha256: nil)),
        .init(path: "l", content: .link(target: "a")),
        .init(path: "K.framework", content: .code(cdHash: old, requirement: "r")),
        .init(path: "R.framework", content: .code(cdHash: nil, requirement: "r")),
      ],
      rules: [
        .init("^x", weight: 20, omits: true), .init("^y", weight: 30, isOptional: true),
        .init("^z", isNested: true),
      ]))

  @Test func readsBothListsInBothForms() throws {
    #expect(try CodeResources(parsing: Self.whole) == Self.expected)
    #expect(try CodeResources(parsing: Self.binary(Self.whole)) == Self.expected)
    #expect(Self.expected.effective == Self.expected.version2)
  }

  @Test func readsWhatPlistlibWrites() throws {
    let script = """
      import base64, plistlib
      value = {"files": {"a": b"1" * 20}, "rules": {"^": True},
        "files2": {"Gr\\u00fc\\u00dfe": {"hash2": b"2" * 32, "optional": True}},
        "rules2": {"^.*": {"weight": 2.0}}}
      for form in (plistlib.FMT_XML, plistlib.FMT_BINARY):
          print(base64.b64encode(plistlib.dumps(value, fmt=form)).decode())
      """
    guard let output = SigningSamples.python(["-c", script]) else { return }
    let forms = String(decoding: output, as: UTF8.self).split(separator: "\n")
    try #require(forms.count == 2)
    for form in forms {
      let bytes = Array(try #require(Data(base64Encoded: String(form))))
      let resources = try CodeResources(parsing: bytes)
      #expect(
        resources
          == CodeResources(
            version1: .init(
              entries: [
                .init(
                  path: "a",
                  content: .file(sha1: [UInt8](repeating: 0x31, count: 20), sha256: nil))
              ], rules: [.init("^")]),
            version2: .init(
              entries: [
                .init(
                  path: "Grüße",
                  content: .file(sha1: nil, sha256: [UInt8](repeating: 0x32, count: 32)),
                  isOptional: true)
              ], rules: [.init("^.*", weight: 2)])))
    }
  }

  /// Which list counts where not all four keys are there.
  struct Part: NamedRow {
    let name: String
    let body: String
    let version1: Bool
    let version2: Bool
  }

  static let parts = [
    Part(name: "files alone", body: "<key>files</key><dict/>", version1: true, version2: false),
    Part(name: "rules alone", body: "<key>rules</key><dict/>", version1: true, version2: false),
    Part(name: "files2 alone", body: "<key>files2</key><dict/>", version1: false, version2: true),
    Part(name: "rules2 alone", body: "<key>rules2</key><dict/>", version1: false, version2: true),
    Part(
      name: "files and rules2", body: "<key>files</key><dict/><key>rules2</key><dict/>",
      version1: true, version2: true),
  ]

  @Test(arguments: parts) func readsAPart(_ row: Part) throws {
    let resources = try CodeResources(parsing: Self.xml(row.body))
    #expect((resources.version1 != nil) == row.version1)
    #expect((resources.version2 != nil) == row.version2)
    #expect(resources.effective == CodeResources.List())
  }

  // MARK: - What is wrong

  /// A file that is refused, with the end of what is said.
  struct Bad: NamedRow {
    let name: String
    let body: String
    let detail: String
  }

  private static func entry(_ list: String, _ value: String) -> String {
    "<key>\(list)</key><dict><key>p/q</key>\(value)</dict>"
  }

  private static func field(_ key: String, _ value: String, beside other: String = "") -> String {
    entry("files2", "<dict>\(other)<key>\(key)</key>\(value)</dict>")
  }

  private static func rule(_ list: String, _ value: String) -> String {
    "<key>\(list)</key><dict><key>^r</key>\(value)</dict>"
  }

  private static let unclear = "it seals no file, no link and no code, or more than one of them"
  /// Types with a value each.
  private static let values: [(kind: String, value: String)] = [
    ("an array", "<array/>"), ("a string", "<string>x</string>"), ("a boolean", "<true/>"),
    ("an integer", "<integer>1</integer>"), ("data", "<data>AAAA</data>"),
    ("a dictionary", "<dict/>"), ("a real", "<real>1</real>"),
    ("a date", "<date>2026-01-01T00:00:00Z</date>"),
  ]

  /// Values of each type but those that are right.
  private static func wrong(_ right: String...) -> [(kind: String, value: String)] {
    values.filter { !right.contains($0.kind) }
  }

  private static let lists: [Bad] = {
    var rows: [Bad] = []
    for list in ["files", "files2", "rules", "rules2"] {
      for (kind, value) in wrong("a dictionary") {
        rows.append(
          Bad(
            name: "\(list) is \(kind)", body: "<key>\(list)</key>\(value)",
            detail: "/\(list): \(kind), and it must be a dictionary"))
      }
    }
    return rows
  }()

  private static let entries: [Bad] = {
    var rows: [Bad] = []
    for list in ["files", "files2"] {
      let place = "/\(list)/p~1q"
      for (kind, value) in wrong("data", "a dictionary") {
        rows.append(
          Bad(
            name: "an entry of \(list) is \(kind)", body: entry(list, value),
            detail: "\(place): \(kind), and it must be data or a dictionary"))
      }
      for count in [0, 19, 21, 32] {
        rows.append(
          Bad(
            name: "a hash of \(list) alone has \(count) bytes", body: entry(list, base64(count)),
            detail: "\(place): \(count) bytes, and a hash has 20 there"))
      }
      for (name, value) in [("empty", ""), ("optional alone", "<key>optional</key><true/>")] {
        rows.append(
          Bad(
            name: "an entry of \(list): \(name)", body: entry(list, "<dict>\(value)</dict>"),
            detail: "\(place): \(unclear)"))
      }
    }
    return rows
  }()

  private static let fields: [Bad] = {
    var rows: [Bad] = []
    func add(_ name: String, _ key: String, _ value: String, _ detail: String) {
      rows.append(
        Bad(name: name, body: field(key, value), detail: "/files2/p~1q/\(key): \(detail)"))
    }
    for (key, length) in [("hash", 20), ("hash2", 32), ("cdhash", 20)] {
      for count in [0, length - 1, length + 1] {
        add(
          "\(key) of \(count) bytes", key, base64(count),
          "\(count) bytes, and a hash has \(length) there")
      }
      for (kind, value) in wrong("data") {
        add("\(key) is \(kind)", key, value, "\(kind), and it must be data")
      }
    }
    for key in ["symlink", "requirement"] {
      for (kind, value) in wrong("a string") {
        add("\(key) is \(kind)", key, value, "\(kind), and it must be a string")
      }
    }
    for (kind, value) in wrong("a boolean") {
      add("optional is \(kind)", "optional", value, "\(kind), and it must be a boolean")
    }
    for (key, value) in [("symlink", "<string>x</string>"), ("cdhash", sha1)] {
      rows.append(
        Bad(
          name: "a hash and \(key)",
          body: field(key, value, beside: "<key>hash2</key>\(sha256)"),
          detail: "/files2/p~1q: \(unclear)"))
    }
    rows.append(
      Bad(
        name: "a link and a requirement",
        body: field(
          "requirement", "<string/>", beside: "<key>symlink</key><string>x</string>"),
        detail: "/files2/p~1q: \(unclear)"))
    return rows
  }()

  private static let rules: [Bad] = {
    var rows: [Bad] = []
    let range = "a weight is a number from 0 to 4294967295"
    for list in ["rules", "rules2"] {
      for (kind, value) in wrong("a boolean", "a dictionary") {
        rows.append(
          Bad(
            name: "a rule of \(list) is \(kind)", body: rule(list, value),
            detail: "/\(list)/^r: \(kind), and it must be a boolean or a dictionary"))
      }
      func add(_ key: String, _ name: String, _ value: String, _ detail: String) {
        rows.append(
          Bad(
            name: "\(key) in \(list) is \(name)",
            body: rule(list, "<dict><key>\(key)</key>\(value)</dict>"),
            detail: "/\(list)/^r/\(key): \(detail)"))
      }
      for key in ["omit", "optional", "nested"] {
        for (kind, value) in wrong("a boolean") {
          add(key, kind, value, "\(kind), and it must be a boolean")
        }
      }
      for (kind, value) in wrong("an integer", "a real") {
        add("weight", kind, value, "\(kind), and it must be a number")
      }
      add("weight", "below zero", "<integer>-1</integer>", range)
      add("weight", "too great", "<integer>4294967296</integer>", range)
      add("weight", "a real below zero", "<real>-0.5</real>", range)
      add("weight", "infinite", "<real>inf</real>", range)
      add("weight", "no number", "<real>nan</real>", range)
    }
    return rows
  }()

  static let bad: [Bad] =
    lists + entries + fields + rules + [
      Bad(
        name: "neither list", body: "<key>other</key><true/>",
        detail: "it has neither files nor files2")
    ]

  @Test(arguments: bad) func saysWhereItIsWrong(_ row: Bad) throws {
    let xml = Self.xml(row.body)
    for bytes in [xml, try Self.binary(xml)] {
      let error = try #require(Self.error(bytes))
      #expect(error.code == .malformed)
      #expect(error.detail.hasSuffix(row.detail), "\(error.detail)")
    }
  }

  /// What is no such property list at all.
  struct Other: NamedRow {
    let name: String
    let bytes: [UInt8]
    let code: SigningError.Code
  }

  static let others = [
    Other(name: "nothing", bytes: [], code: .wrongKind),
    Other(name: "a text", bytes: Array("CodeResources".utf8), code: .wrongKind),
    Other(name: "an OpenStep list", bytes: Array("{ files = { }; }".utf8), code: .wrongKind),
    Other(
      name: "an array", bytes: Array("<plist><array/></plist>".utf8), code: .wrongKind),
    Other(name: "cut XML", bytes: Array(whole.dropLast(20)), code: .malformed),
    Other(
      name: "an entry twice",
      bytes: xml("<key>files</key><dict><key>a</key>\(sha1)<key>a</key>\(sha1)</dict>"),
      code: .malformed),
    Other(name: "a cut binary list", bytes: Array("bplist00\u{D0}".utf8), code: .malformed),
  ]

  @Test(arguments: others) func refuses(_ row: Other) {
    #expect(Self.error(row.bytes)?.code == row.code)
  }

  // MARK: - Bounds

  /// A file that has exactly so many of something as may be, and one that has one more.
  struct Bound: NamedRow {
    let name: String
    let limits: SigningLimits
    let body: @Sendable (_ count: Int) -> String
    let count: Int
  }

  private static func limits(_ change: (inout SigningLimits) -> Void) -> SigningLimits {
    var limits = SigningLimits.standard
    change(&limits)
    return limits
  }

  private static func dictionary(
    _ list: String, _ count: Int, _ pair: (Int) -> String
  ) -> String {
    "<key>\(list)</key><dict>\((0..<count).map(pair).joined())</dict>"
  }

  static let bounds: [Bound] = {
    var rows: [Bound] = []
    for list in ["files", "files2"] {
      rows.append(
        Bound(
          name: "entries of \(list)", limits: limits { $0.resourceEntries = 5 },
          body: { dictionary(list, $0) { "<key>\($0)</key>\(sha1)" } }, count: 5))
    }
    for list in ["rules", "rules2"] {
      rows.append(
        Bound(
          name: list, limits: limits { $0.resourceRules = 3 },
          body: { dictionary(list, $0) { "<key>^\($0)</key><true/>" } }, count: 3))
      rows.append(
        Bound(
          name: "bytes of an expression in \(list)", limits: .standard,
          body: { count in
            let pattern = String(repeating: "a", count: count)
            return dictionary(list, 1) { _ in "<key>\(pattern)</key><true/>" }
          }, count: 1024))
    }
    rows.append(
      Bound(
        name: "bytes of the file", limits: limits { $0.resourcesBytes = 500 },
        body: { count in
          let empty = "<key>files</key><dict/>"
          return empty + String(repeating: " ", count: count - xml(empty).count)
        }, count: 500))
    return rows
  }()

  @Test(arguments: bounds) func keepsBounds(_ row: Bound) {
    #expect(Self.error(Self.xml(row.body(row.count)), row.limits)?.code == nil)
    #expect(Self.error(Self.xml(row.body(row.count + 1)), row.limits)?.code == .limit)
  }

  @Test(.timeLimit(.minutes(1))) func readsManyFilesAndLongNames() throws {
    let folder = String(repeating: "d", count: 40)
    var entries = (0..<60_000).map { number in
      "<key>\(folder)/\(number).png</key><dict><key>hash2</key>\(Self.sha256)</dict>"
    }
    // Normalizing it takes sorting.
    let long = String(repeating: "e\u{301}\u{323}", count: 13_000)
    entries.append("<key>\(long)</key>\(Self.sha1)")
    let xml = Self.xml("<key>files2</key><dict>\(entries.joined())</dict>")
    for bytes in [xml, try Self.binary(xml)] {
      let resources = try CodeResources(parsing: bytes)
      #expect(resources.version2?.entries.count == 60_001)
      #expect(resources.version2?.entries.last?.path.utf8.count == long.utf8.count)
    }
  }
}
