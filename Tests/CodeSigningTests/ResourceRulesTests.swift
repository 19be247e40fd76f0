import Testing

@testable import CodeSigning

@Suite struct ResourceRulesTests {
  typealias Rule = CodeResources.Rule
  typealias Verdict = ResourceRules.Verdict

  private static let plain = Verdict.sealed(isOptional: false, isNested: false)
  private static let optional = Verdict.sealed(isOptional: true, isNested: false)
  private static let nested = Verdict.sealed(isOptional: false, isNested: true)

  struct Row: NamedRow {
    let name: String
    let rules: [Rule]
    var path = "a/b"
    let verdict: Verdict
  }

  static let rows = [
    Row(name: "no rule", rules: [], verdict: .omitted),
    Row(name: "none matches", rules: [Rule("^x")], verdict: .omitted),
    Row(name: "one seals", rules: [Rule("^")], verdict: plain),
    Row(name: "one omits", rules: [Rule("^", omits: true)], verdict: .omitted),
    Row(
      name: "the greater weight omits", rules: [Rule("^"), Rule("b$", weight: 2, omits: true)],
      verdict: .omitted),
    Row(
      name: "the greater weight seals",
      rules: [Rule("^", weight: 2), Rule("b$", weight: 1, omits: true)], verdict: plain),
    Row(
      name: "a weight below that of none", rules: [Rule("^", weight: 0, omits: true), Rule("b")],
      verdict: plain),
    Row(
      name: "of equal ones that which omits", rules: [Rule("^"), Rule("b$", omits: true)],
      verdict: .omitted),
    Row(
      name: "of equal ones that which omits, the other way round",
      rules: [Rule("b$", omits: true), Rule("^")], verdict: .omitted),
    Row(
      name: "of equal ones that seal the first",
      rules: [Rule("^", isOptional: true), Rule("b$", isNested: true)], verdict: optional),
    Row(
      name: "optional", rules: [Rule("^"), Rule("^a/", weight: 1000, isOptional: true)],
      verdict: optional),
    Row(
      name: "nested", rules: [Rule("^"), Rule("^a/", weight: 10, isNested: true)],
      verdict: nested),
    Row(
      name: "omit before nested in one rule",
      rules: [Rule("^", omits: true, isNested: true)], verdict: .omitted),
    Row(
      name: "the heavy rule does not match",
      rules: [Rule("^"), Rule("^b", weight: 9, omits: true)], verdict: plain),
    Row(
      name: "a rule that is not understood is left out",
      rules: [Rule("^"), Rule("a{1}", weight: 9, omits: true)], verdict: plain),
  ]

  @Test(arguments: rows) func decides(_ row: Row) throws {
    var rules = ResourceRules(row.rules, budget: 1000)
    let verdict = try rules.verdict(on: Array(row.path.utf8)[...])
    #expect(verdict == row.verdict)
    #expect(rules.hasNested == row.rules.contains { $0.isNested })
  }

  /// What codesign's own rules say of paths: version 1, then version 2.
  struct Standard: NamedRow {
    let name: String
    let isDeep: Bool
    let first: Verdict
    let second: Verdict

    init(_ path: String, deep: Bool = false, _ first: Verdict, _ second: Verdict) {
      name = path
      isDeep = deep
      self.first = first
      self.second = second
    }
  }

  static let standard = [
    Standard("a.txt", plain, plain),
    Standard("Info.plist", plain, .omitted),
    Standard("PkgInfo", plain, .omitted),
    Standard("sub/Info.plist", plain, plain),
    Standard("version.plist", plain, plain),
    Standard("embedded.mobileprovision", plain, plain),
    Standard(".DS_Store", plain, .omitted),
    Standard("a/.DS_Store", plain, .omitted),
    Standard("a.DS_Store", plain, plain),
    Standard("en.lproj/a.strings", optional, optional),
    Standard("en.lproj/locversion.plist", .omitted, .omitted),
    Standard("Base.lproj/a.nib", plain, plain),
    Standard("a/Base.lproj/a.nib", optional, optional),
    Standard("Base.lproj/.DS_Store", plain, .omitted),
    Standard("Frameworks/K.framework/K", plain, plain),
    Standard("Resources/a", deep: true, plain, plain),
    Standard("Resources/en.lproj/a", deep: true, optional, optional),
    Standard("Resources/en.lproj/locversion.plist", deep: true, .omitted, .omitted),
    Standard("Resources/Base.lproj/a", deep: true, plain, plain),
    Standard("Info.plist", deep: true, .omitted, .omitted),
    Standard("version.plist", deep: true, plain, plain),
    Standard("embedded.provisionprofile", deep: true, .omitted, plain),
    Standard("MacOS/helper", deep: true, .omitted, nested),
    Standard("Frameworks/K.framework", deep: true, .omitted, nested),
    Standard("Library/LoginItems/L.app", deep: true, .omitted, nested),
    Standard("Library/Other/L.app", deep: true, .omitted, plain),
    Standard("tool", deep: true, .omitted, nested),
    Standard("MacOS/helper.dSYM/a", deep: true, .omitted, plain),
    Standard("Resources/x.appex/a", deep: true, plain, plain),
  ]

  @Test(arguments: standard) func standardRulesSay(_ row: Standard) throws {
    let sealing = row.isDeep ? SealingRules.deep : SealingRules.flat
    let path = Array(row.name.utf8)[...]
    var first = ResourceRules(sealing.first, budget: 1 << 16)
    var second = ResourceRules(sealing.second, budget: 1 << 16)
    let verdicts = (try first.verdict(on: path), try second.verdict(on: path))
    #expect(verdicts.0 == row.first)
    #expect(verdicts.1 == row.second)
    #expect(first.unknown.isEmpty && second.unknown.isEmpty)
  }

  @Test func stopsWhereStepsAreUsedUp() throws {
    var rules = ResourceRules([Rule("(a|b)*c")], budget: 3)
    #expect(
      signingErrorCode { () throws(SigningError) in
        _ = try rules.verdict(on: Array("abab".utf8)[...])
      } == .limit)
    #expect(rules.budget <= 0)
  }

  /// What no rule reaches.
  struct Scope: NamedRow {
    let name: String
    let isExcluded: Bool
    var isKey = false
  }

  static let scopes = [
    Scope(name: "Demo", isExcluded: true), Scope(name: "Demo/x", isExcluded: false),
    Scope(name: "sub/Demo", isExcluded: false), Scope(name: "demo", isExcluded: false),
    Scope(name: "_CodeSignature/CodeResources", isExcluded: true),
    Scope(name: "_CodeSignature/other/file", isExcluded: true),
    Scope(name: "_CodeSignatures/x", isExcluded: false),
    Scope(name: "PlugIns/A.appex/_CodeSignature/CodeResources", isExcluded: false),
    Scope(name: "_MASReceipt/receipt", isExcluded: true),
    Scope(name: "CodeResources", isExcluded: true),
    Scope(name: "CodeResources2", isExcluded: false), Scope(name: "C", isExcluded: false),
    Scope(name: "SC_Info/Demo.sinf", isExcluded: false, isKey: true),
    Scope(name: "PlugIns/A.appex/SC_Info/A.sinf", isExcluded: false, isKey: true),
    Scope(name: "SC_Info", isExcluded: false), Scope(name: "a/SC_Info", isExcluded: false),
    Scope(name: "SC_Info2/x", isExcluded: false),
  ]

  @Test(arguments: scopes) func leavesOut(_ row: Scope) {
    let path = Array(row.name.utf8)[...]
    #expect(ResourceScope(executable: Array("Demo".utf8)).excludes(path) == row.isExcluded)
    #expect(ResourceScope.isKey(path) == row.isKey)
    if row.name == "Demo" { #expect(!ResourceScope(executable: nil).excludes(path)) }
  }
}
