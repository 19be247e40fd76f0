import CodeSigning
import Testing

/// An expression in a requirement's own form: opcodes, integers, and data with their count before.
struct Expression: Sendable {
  let bytes: [UInt8]

  init(_ opcode: UInt32, _ parts: Expression...) {
    bytes = opcode.bytes(isBigEndian: true) + parts.flatMap(\.bytes)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  static func number(_ value: Int32) -> Expression {
    Expression(bytes: value.bytes(isBigEndian: true))
  }

  static func date(_ value: Int64) -> Expression {
    Expression(bytes: value.bytes(isBigEndian: true))
  }

  static func data(_ bytes: [UInt8]) -> Expression {
    let padding = [UInt8](repeating: 0, count: -bytes.count & 3)
    return Expression(bytes: UInt32(bytes.count).bytes(isBigEndian: true) + bytes + padding)
  }

  static func text(_ text: String) -> Expression { data(Array(text.utf8)) }

  /// A match: the operation and the value.
  static func match(_ operation: UInt32, _ value: Expression? = nil) -> Expression {
    value.map { Expression(operation, $0) } ?? Expression(operation)
  }

  /// The requirement's blob.
  var blob: [UInt8] {
    let head = [0xFADE_0C00, UInt32(12 + bytes.count), 1] as [UInt32]
    return head.flatMap { $0.bytes(isBigEndian: true) } + bytes
  }
}

struct RequirementRow: CustomTestStringConvertible, Sendable {
  let text: String
  let expression: Expression
  var isUnderstood = true

  init(_ text: String, _ expression: Expression, isUnderstood: Bool = true) {
    self.text = text
    self.expression = expression
    self.isUnderstood = isUnderstood
  }

  var testDescription: String { text }
}

@Suite struct CodeRequirementTests {
  private static let apple: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x02, 0x06]
  private static let a = Expression(0)
  private static let b = Expression(1)
  private static let c = Expression(3)

  static let rows: [RequirementRow] = [
    .init("never", Expression(0)), .init("always", Expression(1)),
    .init("identifier \"com.example.app\"", Expression(2, .text("com.example.app"))),
    .init("identifier demo", Expression(2, .text("demo"))),
    .init("identifier \"a \\\"b\\\" \\\\\"", Expression(2, .text("a \"b\" \\"))),
    .init("identifier 0x61ff", Expression(2, .data([0x61, 0xFF]))),
    .init("identifier 0x1b5b", Expression(2, .data([0x1B, 0x5B]))),
    .init("identifier \"\"", Expression(2, .text(""))),
    .init("anchor apple", Expression(3)), .init("anchor apple generic", Expression(15)),
    .init("anchor trusted", Expression(13)),
    .init("anchor apple Beta", Expression(18, .text("Beta"))),
    .init("certificate leaf = H\"0aff\"", Expression(4, .number(0), .data([0x0A, 0xFF]))),
    .init("certificate root = H\"01\"", Expression(4, .number(-1), .data([1]))),
    .init("certificate 2 trusted", Expression(12, .number(2))),
    .init("info[CFBundleVersion] = \"1.0\"", Expression(5, .text("CFBundleVersion"), .text("1.0"))),
    .init("cdhash H\"0102\"", Expression(8, .data([1, 2]))),
    .init("! anchor apple", Expression(9, c)),
    .init("never and always", Expression(6, a, b)),
    .init("never or always", Expression(7, a, b)),
    .init("never and always and anchor apple", Expression(6, a, Expression(6, b, c))),
    .init("never and always and anchor apple", Expression(6, Expression(6, a, b), c)),
    .init("never or always and anchor apple", Expression(7, a, Expression(6, b, c))),
    .init("(never or always) and anchor apple", Expression(6, Expression(7, a, b), c)),
    .init("! (never or always)", Expression(9, Expression(7, a, b))),
    .init("! (never and always)", Expression(9, Expression(6, a, b))),
    .init(
      "info[LSMinimum] >= \"10.2\"",
      Expression(10, .text("LSMinimum"), .match(8, .text("10.2")))),
    .init(
      "entitlement[com.apple.x] /* exists */",
      Expression(16, .text("com.apple.x"), .match(0))),
    .init("entitlement[a] absent", Expression(16, .text("a"), .match(14))),
    .init(
      "certificate leaf[subject.OU] = ABCDE12345",
      Expression(11, .number(0), .text("subject.OU"), .match(1, .text("ABCDE12345")))),
    .init(
      "certificate leaf[subject.OU] = \"72LA85G59H\"",
      Expression(11, .number(0), .text("subject.OU"), .match(1, .text("72LA85G59H")))),
    .init(
      "certificate 1[field.1.2.840.113635.100.6.2.6] /* exists */",
      Expression(14, .number(1), .data(apple), .match(0))),
    .init(
      "certificate leaf[policy.1.2.840.113635.100.6.2.6] /* exists */",
      Expression(17, .number(0), .data(apple), .match(0))),
    .init(
      "certificate leaf[timestamp.1.2.840.113635.100.6.2.6] > timestamp 600000000",
      Expression(22, .number(0), .data(apple), .match(11, .date(600_000_000)))),
    .init("info[a] ~ b", Expression(10, .text("a"), .match(2, .text("b")))),
    .init("info[a] = b*", Expression(10, .text("a"), .match(3, .text("b")))),
    .init("info[a] = *b", Expression(10, .text("a"), .match(4, .text("b")))),
    .init("info[a] < b", Expression(10, .text("a"), .match(5, .text("b")))),
    .init("info[a] > b", Expression(10, .text("a"), .match(6, .text("b")))),
    .init("info[a] <= b", Expression(10, .text("a"), .match(7, .text("b")))),
    .init("(named)", Expression(19, .text("named"))),
    .init("platform = 2", Expression(20, .number(2))), .init("notarized", Expression(21)),
    .init("legacy", Expression(23)),
    .init(
      "certificate leaf[field.0x86] /* exists */",
      Expression(14, .number(0), .data([0x86]), .match(0))),
    .init("/* opcode 99 is not known */", Expression(99), isUnderstood: false),
    .init(
      "never or /* opcode 99 is not known */", Expression(7, a, Expression(99)),
      isUnderstood: false),
    .init(
      "/* opcode 99 is not known */ and /* not read */",
      Expression(6, Expression(99, .text("x")), b), isUnderstood: false),
    .init(
      "never /* opcode 99 is not known */ and always",
      Expression(6, Expression(0x8000_0063, .text("x")), b), isUnderstood: false),
    .init(
      "/* opcode 99 is not known, and left out */ and always",
      Expression(6, Expression(0x4000_0063, .text("x")), b), isUnderstood: false),
    .init(
      "info[a] /* match 77 is not known */", Expression(10, .text("a"), .match(77)),
      isUnderstood: false),
  ]

  @Test(arguments: rows) func text(row: RequirementRow) throws {
    let requirement = try CodeRequirement(parsing: row.expression.blob, kind: .designated)
    #expect(requirement.text == row.text)
    #expect(requirement.isUnderstood == row.isUnderstood)
  }

  @Test(arguments: rows) func cut(row: RequirementRow) throws {
    let bytes = row.expression.blob
    for count in 0..<bytes.count where row.isUnderstood {
      let error = #expect(throws: SigningError.self) {
        try CodeRequirement(parsing: Array(bytes[..<count]), kind: .designated)
      }
      #expect(error?.code == .truncated)
    }
  }

  @Test func depth() throws {
    let limit = SigningLimits.standard.depth
    func nested(_ count: Int) -> [UInt8] {
      (0..<count).reduce(Expression(1)) { inner, _ in Expression(9, inner) }.blob
    }
    let deepest = try CodeRequirement(parsing: nested(limit - 1), kind: .host)
    #expect(deepest.text == String(repeating: "! ", count: limit - 1) + "always")
    for count in [limit, 100_000] {
      let error = #expect(throws: SigningError.self) {
        try CodeRequirement(parsing: nested(count), kind: .host)
      }
      #expect(error?.code == .limit)
    }
  }

  @Test(
    arguments: [
      ("bytes behind it", [0, 0, 0, 1], .malformed),
      ("data of 4 GiB", Expression(2).bytes + [255, 255, 255, 255], .truncated),
    ] as [(String, [UInt8], SigningError.Code)])
  func wrong(name: String, bytes: [UInt8], code: SigningError.Code) throws {
    let body = name == "bytes behind it" ? Expression(1).bytes + bytes : bytes
    let head = [0xFADE_0C00, UInt32(12 + body.count), 1] as [UInt32]
    let error = #expect(throws: SigningError.self) {
      try CodeRequirement(
        parsing: head.flatMap { $0.bytes(isBigEndian: true) } + body, kind: .guest)
    }
    #expect(error?.code == code)
  }

  @Test func anotherForm() throws {
    let bytes = Expression(1).blob.setting(big: 2, at: 8)
    let requirement = try CodeRequirement(parsing: bytes, kind: .library)
    #expect(requirement.text == "/* form 2 is not known */" && !requirement.isUnderstood)
  }

  @Test(.enabled(if: SigningSamples.areThere, "no python3")) func sample() throws {
    let requirements = try SignatureSample("arm64 v20400").signature.requirements()
    #expect(requirements?.map(\.kind) == [.designated])
    #expect(
      requirements?.first?.text
        == """
        identifier "com.example.demo" and anchor apple generic and certificate leaf[subject.CN] = \
        "Apple Development: T (ABCDE12345)" and certificate 1[field.1.2.840.113635.100.6.2.1] /* exists */
        """)
  }
}
