import Foundation
import Testing

@testable import CodeSigning

@Suite struct PatternMatcherTests {
  /// What signers write, and other forms that are understood. Python's `re` reads all of them alike.
  static let patterns = [
    // codesign, for flat and deep bundles; Xcode; zsign; isign; ldid; old ResourceRules.plist files.
    "^", "^.*", "^.*\\.lproj/", "^.*\\.lproj/locversion.plist$", "^Base\\.lproj/",
    "^version.plist$", "^version\\.plist$", ".*\\.dSYM($|/)", "^(.*/)?\\.DS_Store$",
    "^Info\\.plist$", "^PkgInfo$", "^embedded\\.provisionprofile$", "^[^/]+$", "^Resources/",
    "^(Frameworks|SharedFrameworks|PlugIns|Plug-ins|XPCServices|Helpers|MacOS|"
      + "Library/(Automator|Spotlight|LoginItems))/",
    "^Resources/.*\\.lproj/", "^Resources/.*\\.lproj/locversion.plist$",
    "^Resources/Base\\.lproj/", "^(Frameworks|SharedFrameworks|Plugins|Plug-ins|XPCServices)/",
    "^ResourceRules\\.plist$", "^_CodeSignature/", "^Frameworks/.*", "^Watch/[^/]+\\.app/",
    "^(Frameworks/[^/]+\\.framework/|PlugIns/[^/]+\\.appex/|PlugIns/[^/]+\\.appex/Frameworks/"
      + "[^/]+\\.framework/|())SC_Info/[^/]+\\.(sinf|supf|supp)$",
    // Others.
    "plist", "a|b", "(a|b)c", "^(a|b)*c$", "x*", "x+y?", "[a-c]+$", "[^a-c]", "[]x]", "[^]x]",
    "[a-]z", "\\$", "\\^a", "a\\+b", "\\.", "(a+)+$", "(a*)*b", "(x|xy|xyz)+$", "^$", "a$|^b",
    "((a))", "(^|/)a", "a(/|$)", "Gr\u{FC}", "\u{65}\u{301}", "a]b", "^(.*/)?[^/.]+$", "()",
  ]

  static let paths = [
    "Info.plist", "sub/Info.plist", "InfoXplist", "PkgInfo", "version.plist", "versionXplist",
    "embedded.provisionprofile", "embedded.mobileprovision", "en.lproj/x.strings",
    "a/en.lproj/b/locversion.plist", "en.lproj/locversion.plist", "Base.lproj/m.nib",
    "xBase.lproj/m.nib", ".DS_Store", "a/.DS_Store", "x.DS_Store", "A.dSYM", "A.dSYM/Contents",
    "A.dSYMx", "Frameworks/A.framework/A", "FrameworksX/a", "Library/Spotlight/a",
    "Library/Other/a", "MacOS/x", "Resources/a.txt", "Resources/en.lproj/a",
    "Resources/Base.lproj/a", "resources/a", "ResourceRules.plist", "_CodeSignature/CodeResources",
    "Watch/W.app/W", "Watch/W.app", "SC_Info/Demo.sinf", "SC_Info/x.sinfo",
    "PlugIns/A.appex/SC_Info/A.supp", "PlugIns/A.appex/Frameworks/B.framework/SC_Info/B.supf",
    "a", "b", "c", "ab", "ac", "abc", "abac", "bz", "-z", "xz", "xxyy", "xyxyz", "aaaa", "aaaab",
    "a/b", "b/a", "/", "a+b", "$", "^a", "a]b", "]", "Gr\u{FC}\u{DF}e", "Gru\u{308}\u{DF}e",
    "e\u{301}",
    "a\nb", "x y", "noextension", "dir/noextension", "\u{1F600}",
  ]

  private static func found(_ pattern: String, _ paths: [String]) -> [Bool]? {
    var program = PatternProgram()
    guard program.add(pattern, number: 0) else { return nil }
    var matcher = PatternMatcher(program, budget: 1 << 20)
    return paths.map { matcher.found(in: Array($0.utf8)[...]) == [0] }
  }

  /// What `re` says, a row of 0 and 1 for each expression.
  private static func python(_ patterns: [String], _ paths: [String]) throws -> [[Bool]]? {
    let script = """
      import json, re, sys
      patterns, paths = json.loads(sys.argv[1])
      for pattern in patterns:
          found = re.compile(pattern.encode(), re.DOTALL)
          print("".join("1" if found.search(path.encode()) else "0" for path in paths))
      """
    let input = String(
      decoding: try JSONEncoder().encode([patterns, paths]), as: UTF8.self)
    guard let output = SigningSamples.python(["-W", "ignore", "-c", script, input]) else {
      return nil
    }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
      line.map { $0 == "1" }
    }
  }

  @Test(.enabled(if: SigningSamples.areThere, "no python3")) func findsWhatPythonFinds() throws {
    let rows = try #require(try Self.python(Self.patterns, Self.paths))
    try #require(rows.count == Self.patterns.count)
    for (pattern, row) in zip(Self.patterns, rows) {
      let found = try #require(Self.found(pattern, Self.paths), "\(pattern) is not understood")
      for (path, (ours, theirs)) in zip(Self.paths, zip(found, row)) {
        #expect(ours == theirs, "\(pattern) in \(path)")
      }
    }
  }

  /// All expressions in one walk find what each finds alone.
  @Test func findsTogetherWhatEachFindsAlone() {
    var program = PatternProgram()
    for (number, pattern) in Self.patterns.enumerated() {
      let isUnderstood = program.add(pattern, number: number)
      #expect(isUnderstood)
    }
    var matcher = PatternMatcher(program, budget: 1 << 24)
    let alone = Self.patterns.map { Self.found($0, Self.paths) }
    for (place, path) in Self.paths.enumerated() {
      let together = matcher.found(in: Array(path.utf8)[...])
      #expect(together == Self.patterns.indices.filter { alone[$0]?[place] == true }, "\(path)")
    }
  }

  /// What a set of bytes or the end of an expression is, where Python has other rules.
  struct Own: NamedRow {
    let name: String
    let pattern: String
    let paths: [String]
    let found: [Bool]
  }

  static let own = [
    Own(
      name: "a backslash in brackets is one", pattern: "[\\.]", paths: ["\\", ".", "a"],
      found: [true, true, false]),
    Own(
      name: "the end is behind a newline", pattern: "a$", paths: ["a\n", "a"],
      found: [false, true]),
    Own(
      name: "a repeated repetition", pattern: "^a**$", paths: ["", "aa", "b"],
      found: [true, true, false]),
    Own(
      name: "a star behind a group", pattern: "^(a|())*b", paths: ["b", "aab", "c"],
      found: [true, true, false]),
  ]

  @Test(arguments: own) func followsPOSIX(_ row: Own) {
    #expect(Self.found(row.pattern, row.paths) == row.found)
  }

  static let unknown = [
    "", "|", "a|", "|a", "a||b", "(a|)", "(|a)", "(", ")", "a)", "(a", "*", "+a", "?", "a|*",
    "(*a)", "{", "a{", "a{2}", "a{1,3}", "{2}", "[", "[a", "[]", "[^]", "[z-a]", "[[:alpha:]]",
    "[[.a.]]", "[[=a=]]", "[a-[]", "[\u{E9}]", "[a-\u{E9}]", "\\", "a\\", "\\d", "\\w", "\\1",
    "(a)\\1", "\\<a", "a\\>", "\\b", "\\n", "\\\u{E9}", "a\\`", "\\'",
    String(repeating: "(", count: 33) + String(repeating: ")", count: 33),
    "a" + String(repeating: "*", count: 40),
  ]

  @Test(arguments: unknown) func saysWhatItDoesNotUnderstand(_ pattern: String) {
    #expect(Self.found(pattern, []) == nil)
    let rules = ResourceRules([.init(pattern), .init("^a")], budget: 1000)
    #expect(rules.unknown == [pattern])
  }

  // MARK: - Hostile expressions

  struct Hostile: NamedRow {
    let name: String
    let pattern: String
    let path: String
  }

  private static func times(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  static let hostile = [
    Hostile(
      name: "nested quantifiers", pattern: times("(", 30) + "a" + times("*)*", 30) + "$",
      path: times("a", 5000) + "b"),
    Hostile(name: "(a|a)*b", pattern: "^(a|a)*$", path: times("a", 5000) + "b"),
    Hostile(
      name: "many optional ones", pattern: "^" + times("a?", 2000) + times("a", 2000) + "$",
      path: times("a", 3000)),
    Hostile(
      name: "states that double with each byte", pattern: "(a|b)*a" + times("(a|b)", 300) + "$",
      path: (0..<20_000).map { $0 &* 2_654_435_761 >> 7 & 1 == 0 ? "a" : "b" }.joined()),
    Hostile(
      name: "long alternations",
      pattern: "^(" + (0..<10_000).map { "\($0)x" }.joined(separator: "|") + ")$",
      path: times("12345x", 2000)),
    Hostile(
      name: "64 KiB of characters", pattern: times("ab", 32 << 10), path: times("ab", 40_000)),
    Hostile(name: "64 KiB of dots", pattern: times(".", 64 << 10), path: times("x", 64 << 10)),
    Hostile(name: "64 KiB of .*", pattern: times(".*", 32 << 10) + "b", path: times("x", 64 << 10)),
  ]

  /// Each walk ends, with an answer or for want of steps; what is kept is bounded.
  @Test(.timeLimit(.minutes(2)), arguments: hostile) func ends(_ row: Hostile) {
    var program = PatternProgram()
    let isUnderstood = program.add(row.pattern, number: 0)
    #expect(isUnderstood)
    let budget = 1 << 20
    var matcher = PatternMatcher(program, budget: budget)
    _ = matcher.found(in: Array(row.path.utf8)[...])
    // The last set may go beyond it, and no further.
    #expect(matcher.budget > -4 * (program.steps.count + 1))
    guard matcher.budget <= 0 else { return }
    let next = matcher.found(in: Array((row.path + "\u{1}").utf8)[...])
    #expect(next == nil)
  }
}
