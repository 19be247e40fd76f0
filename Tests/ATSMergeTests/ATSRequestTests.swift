import NetDiscovery
import Testing

@testable import ATSMerge

@Suite struct ATSRequestTests {
  static let origins: [Row<String, String>] = [
    Row("plain", "http://a.example", "http://a.example"),
    Row("path, query, fragment", "https://a.example/b?c=d#e", "https://a.example"),
    Row("port", "http://a.example:8080/", "http://a.example:8080"),
    Row("the scheme's own port", "http://a.example:80/", "http://a.example"),
    Row("upper case", "HTTP://A.Example/", "http://a.example"),
    Row("IPv6", "http://[FD00:0::10]:1/", "http://[fd00::10]:1"),
    Row("another scheme", "ftp://a.example/x", "ftp:"),
    Row("a scheme without a host", "mailto:a@b.example", "mailto:"),
  ]

  @Test(arguments: origins) func reads(_ row: Row<String, String>) throws {
    let request = try ATSRequest(parsing: row.input)
    #expect(request.origin == row.expected)
    #expect(request.description == row.input)
  }

  static let wrong: [Row<String, HostError.Code>] = [
    Row("empty", "", .empty), Row("no scheme", "a.example/b", .scheme),
    Row("no scheme, a port", "a.example:80", .scheme), Row("no host", "http:///a", .empty),
    Row("user info", "http://u:p@a.example/", .userInfo),
    Row("a zone", "http://[fe80::1%25en0]/", .zone),
    Row("no brackets", "http://fd00::10/", .brackets), Row("port 0", "http://a:0/", .port),
    Row("a dot behind", "http://a.example./", .name),
    Row("beyond ASCII", "http://bücher.example/", .notASCII),
    Row("an odd address", "http://0x7f.1/", .address),
  ]

  @Test(arguments: wrong) func refuses(_ row: Row<String, HostError.Code>) {
    #expect(throws: HostError(row.expected, detail: "")) { try ATSRequest(parsing: row.input) }
  }

  @Test func hidesTheInstallation() throws {
    let request = try ATSRequest(parsing: urlText("a.example"))
    #expect(request.description == "http://a.example:19464/api/app/0123…/update")
    #expect(ATSRequest(try url("a.example")).description == request.description)
  }
}
