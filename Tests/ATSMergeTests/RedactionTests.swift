import Testing

@testable import ATSMerge

@Suite struct RedactionTests {
  static let rows: [Row<String, String>] = [
    Row("update URL", urlText("h"), "http://h:19464/api/app/0123…/update"),
    Row("older path", "http://h/update/\(id)", "http://h/update/0123…"),
    Row("check path", "http://h/update/\(id)/check", "http://h/update/0123…/check"),
    Row("bare ID", "x \(id) y", "x 0123… y"),
    Row("one digit too many", urlText("h", id: id + "0"), "http://h:19464/api/app/0123…/update"),
    Row(
      "one digit too few", urlText("h", id: String(id.dropLast())),
      "http://h:19464/api/app/0123…/update"),
    Row(
      "a digit by its character reference", "/api/app/\(id.dropLast())&#52;/update",
      "/api/app/0123…/update"),
    Row(
      "a folder between app and updates stays", "/srv/app/harbor/updates/x.ipa",
      "/srv/app/harbor/updates/x.ipa"),
    Row(
      "a long name behind update stays", "/update/com.example.harbor-1.2.3-build.214-release.ipa",
      "/update/com.example.harbor-1.2.3-build.214-release.ipa"),
    Row("percent-escaped path", "%2Fapp%2F\(id)%2Fupdate", "%2Fapp%2F01…%2Fupdate"),
    Row(
      "a hash stays", "/cache/\(String(repeating: "a", count: 64))/x.ipa",
      "/cache/\(String(repeating: "a", count: 64))/x.ipa"),
    Row("a folder named app stays", "/home/app/my-apps/x.ipa", "/home/app/my-apps/x.ipa"),
    Row("older path, one digit too few", "/update/\(id.dropLast())", "/update/0123…"),
    Row("markers beside each other", "/app//update//app/", "/app//update//app/"),
    Row("short numbers stay", "build 20261130, 0xdeadbeef", "build 20261130, 0xdeadbeef"),
    Row("other text stays", "gh:example/demo ünï", "gh:example/demo ünï"),
    Row(
      "cut off by an ellipsis", "'http://h/api/app/\(id.prefix(12))…' is",
      "'http://h/api/app/0123…' is"),
    Row(
      "in a key path", "/IPAHub/http:~1~1h~1api~1app~1\(id)~1update",
      "/IPAHub/http:~1~1h~1api~1app~10123…~1update"),
    Row("half of one in a key path", "h~1app~1\(id.prefix(30))~1update", "h~1app~10123…~1update"),
    Row("an older path in a key path", "h~1update~1\(id)abcdefab/x", "h~1update~10123…/x"),
    Row("a blank in it", "/app/\(id.prefix(24)) \(id.suffix(24))/update", "/app/0123…/update"),
    Row("a line end in it", "/app/\(id.prefix(24))\n\(id.suffix(24))/update", "/app/0123…/update"),
    Row(
      "an escape in it", "/app/\(id.prefix(24))\\u{A}\(id.suffix(24))/update", "/app/0123…/update"),
    Row("hidden already", "/app/0123…/update", "/app/0123…/update"),
    Row("twice", "\(id) \(otherID)", "0123… fedc…"),
    Row("with a query", urlText("h", query: "?a=b"), "http://h:19464/api/app/0123…/update?a=b"),
  ]

  @Test(arguments: rows) func hidesIDs(_ row: Row<String, String>) {
    #expect(Redaction.hidingIDs(in: row.input) == row.expected)
  }
}
