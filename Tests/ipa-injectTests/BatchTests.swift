import Testing

@testable import ipa_inject

/// Which inputs a batch takes.
@Suite struct BatchInputTests {
  struct ShardRow: CustomTestStringConvertible {
    let text: String
    let part: [Int]
    var testDescription: String { text }
  }

  @Test(arguments: [
    ShardRow(text: "1/1", part: [0, 1, 2, 3, 4, 5, 6]),
    ShardRow(text: "1/3", part: [0, 3, 6]),
    ShardRow(text: "2/3", part: [1, 4]),
    ShardRow(text: "3/3", part: [2, 5]),
    ShardRow(text: "7/7", part: [6]),
    ShardRow(text: "8/9", part: []),
    ShardRow(text: "9223372036854775807/9223372036854775807", part: []),
  ])
  func shards(_ row: ShardRow) throws {
    #expect(try Shard(row.text).part(of: Array(0..<7)) == row.part)
  }

  @Test(arguments: [
    "", "/", "1", "1/", "/2", "0/2", "3/2", "-1/2", "1/-2", "+1/2", "1/0", "0/0", "1/2/3", " 1/2",
    "1 /2",
    "a/b", "1/99999999999999999999", "١/٢",
  ])
  func shardsThatAreNone(_ text: String) {
    let error = #expect(throws: UsageError.self) { try Shard(text) }
    #expect(error?.message.hasPrefix("--shard is '\(text)'") == true)
  }

  struct ListRow: CustomTestStringConvertible {
    let testDescription: String
    let bytes: String
    var separator: UInt8 = 10
    let paths: [String]
  }

  @Test(arguments: [
    ListRow(testDescription: "nothing", bytes: "", paths: []),
    ListRow(testDescription: "open end", bytes: "a\nb", paths: ["a", "b"]),
    ListRow(testDescription: "closed end", bytes: "a\nb\n", paths: ["a", "b"]),
    ListRow(
      testDescription: "nothing is special", bytes: "#a\n b \n'c'\nd\r\n-e\n",
      paths: ["#a", " b ", "'c'", "d\r", "-e"]),
    ListRow(
      testDescription: "all lines end as on Windows", bytes: "a\r\nb c\r\n", paths: ["a", "b c"]),
    ListRow(
      testDescription: "the same with an open end", bytes: "a\r\nb", paths: ["a", "b"]),
    ListRow(
      testDescription: "zero bytes, carriage returns are names", bytes: "a\r\0b\r\0", separator: 0,
      paths: ["a\r", "b\r"]),
    ListRow(
      testDescription: "zero bytes", bytes: "a\nb\0c\0", separator: 0, paths: ["a\nb", "c"]),
  ])
  func lists(_ row: ListRow) throws {
    let paths = try BatchInputs.paths(
      in: Array(row.bytes.utf8), separator: row.separator, of: "list")
    #expect(paths.map { Array($0.utf8) } == row.paths.map { Array($0.utf8) })
  }

  struct BadListRow: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var separator: UInt8 = 10
    let line: String
  }

  @Test(arguments: [
    BadListRow(
      testDescription: "empty line", bytes: Array("a\n\nb\n".utf8),
      line: "list: line 2: the path is empty"),
    BadListRow(
      testDescription: "an empty line of Windows", bytes: Array("a\r\n\r\n".utf8),
      line: "list: line 2: the path is empty"),
    BadListRow(
      testDescription: "only an empty line", bytes: [10], line: "list: line 1: the path is empty"),
    BadListRow(
      testDescription: "no UTF-8", bytes: [0x61, 10, 0xFF],
      line: "list: line 2: the path is no UTF-8, and such paths are not taken"),
    BadListRow(
      testDescription: "zero byte", bytes: [0x61, 0, 0x62],
      line: "list: line 1: the path holds a zero byte (--null is for such lists)"),
    BadListRow(
      testDescription: "empty path", bytes: [0x61, 0, 0, 0x62], separator: 0,
      line: "list: path 2: the path is empty"),
  ])
  func badLists(_ row: BadListRow) {
    let error = #expect(throws: Failure.self) {
      try BatchInputs.paths(in: row.bytes, separator: row.separator, of: "list")
    }
    #expect(error?.line == row.line)
    #expect(error?.status == .badInput)
  }
}

/// Where the results of a batch go.
@Suite struct BatchOutputTests {
  @Test(arguments: [
    ("App.ipa", "App.ipa"), ("a/b/App.ipa", "App.ipa"), ("/App.ipa", "App.ipa"),
    ("App.app/", "App.app"), ("a//App.app//", "App.app"), ("-o", "-o"), ("a/ü.ipa", "ü.ipa"),
    (".", nil), ("a/..", nil), ("/", nil), ("", nil), ("./", nil), ("...", "..."),
  ])
  func names(_ path: String, _ name: String?) {
    #expect(BatchInputs.name(of: path) == name)
  }

  @Test func theFileOfAName() {
    let record = InjectCommand.folders[1]
    #expect(BatchInputs.path(of: "App.ipa", in: "out", .output) == "out/App.ipa")
    #expect(BatchInputs.path(of: "App.ipa", in: "out/", record) == "out/App.ipa.json")
    #expect(BatchInputs.path(of: "App.ipa", in: "/", .output) == "/App.ipa")
  }

  struct ClashRow: CustomTestStringConvertible {
    let testDescription: String
    let paths: [String]
    var isInPlace = false
    /// What the refusal names, nil where there is none.
    let named: [String]?
  }

  @Test(arguments: [
    ClashRow(testDescription: "two names", paths: ["a/One.ipa", "a/Two.ipa"], named: nil),
    ClashRow(
      testDescription: "one name in two folders", paths: ["a/App.ipa", "x", "b/App.ipa"],
      named: ["'a/App.ipa'", "'b/App.ipa'"]),
    ClashRow(
      testDescription: "names that differ in case", paths: ["a/App.ipa", "b/APP.ipa"],
      named: ["'a/App.ipa'", "'b/APP.ipa'"]),
    ClashRow(
      testDescription: "names in two Unicode forms", paths: ["a/\u{FC}.ipa", "b/u\u{308}.ipa"],
      named: ["'a/\u{FC}.ipa'", "'b/u\u{308}.ipa'"]),
    ClashRow(
      testDescription: "one path twice", paths: ["App.ipa", "App.ipa"], named: ["'App.ipa'"]),
    ClashRow(
      testDescription: "a result and another's record", paths: ["a/App.ipa", "b/App.ipa.json"],
      named: ["'a/App.ipa'", "'b/App.ipa.json'"]),
    ClashRow(testDescription: "no name", paths: ["a/.."], named: ["'a/..'"]),
    ClashRow(
      testDescription: "in place, one name in two folders", paths: ["a/App.ipa", "b/App.ipa"],
      isInPlace: true, named: nil),
    ClashRow(
      testDescription: "in place, one path twice", paths: ["a", "b", "a"], isInPlace: true,
      named: ["'a'"]),
    ClashRow(
      testDescription: "in place, one file by two paths", paths: ["/", "/usr", "/usr/../"],
      isInPlace: true, named: ["'/'", "'/usr/../'", "are one file"]),
    ClashRow(
      testDescription: "in place, two paths that lead nowhere", paths: ["/none/a", "/none/b"],
      isInPlace: true, named: nil),
  ])
  func clashes(_ row: ClashRow) throws {
    let folders = row.isInPlace ? [] : InjectCommand.folders.map { ($0, "out") }
    let failure: Failure?
    do throws(Failure) {
      try BatchInputs.check(row.paths, folders: folders, isInPlace: row.isInPlace)
      failure = nil
    } catch { failure = error }
    #expect((failure == nil) == (row.named == nil), "\(failure?.line ?? "")")
    for name in row.named ?? [] { #expect(failure?.line.contains(name) == true) }
    if let failure { #expect(failure.status == .usage) }
  }
}

/// How a batch ends.
@Suite struct BatchReportTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let statuses: [ipa_inject.ExitStatus]
    let worst: ipa_inject.ExitStatus
    let closing: String
  }

  @Test(arguments: [
    Row(testDescription: "nothing", statuses: [], worst: .success, closing: "0 done, 0 failed"),
    Row(
      testDescription: "all well", statuses: [.success, .success], worst: .success,
      closing: "2 done, 0 failed"),
    Row(
      testDescription: "findings are worse than success", statuses: [.findings, .success],
      worst: .findings, closing: "1 done, 1 with findings, 0 failed"),
    Row(
      testDescription: "every error is worse than findings", statuses: [.badInput, .findings],
      worst: .badInput, closing: "0 done, 1 with findings, 1 failed"),
    Row(
      testDescription: "the highest of all", statuses: [.badInput, .ioError, .noInput, .success],
      worst: .ioError, closing: "1 done, 3 failed"),
  ])
  func worst(_ row: Row) {
    var report = BatchReport()
    for status in row.statuses { report.add(status) }
    #expect(report.status == row.worst)
    #expect(report.closing == row.closing)
  }

  @Test func aLine() {
    var failure = Failure(code: "truncated", status: .badInput, message: "it is cut short")
    failure.file = "a.ipa"
    let outcome = BatchOutcome(input: "a.ipa", failure: failure)
    #expect(outcome.status == .badInput)
    let error = #"{"code":"truncated","file":"a.ipa","message":"it is cut short","path":null}"#
    #expect(
      outcome.line
        == #"{"error":\#(error),"input":"a.ipa","schema":"ipa-inject/batch/1","status":65}"# + "\n")
  }
}
