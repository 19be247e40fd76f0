import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

@Suite struct UpdateURLTests {
  static let bad: [Row<String, UpdateURLError.Code>] = [
    Row("empty", "", .scheme),
    Row("no scheme", "my-mac.local:19464/api/app/\(id)/update", .scheme),
    Row("another scheme", "ftp://my-mac.local/api/app/\(id)/update", .scheme),
    Row("user info", "http://user:pw@my-mac.local:19464/api/app/\(id)/update", .userInfo),
    Row("no host", "http:///api/app/\(id)/update", .host),
    Row("IPv6 without brackets", urlText("fd00::10"), .port),
    Row("bracket left open", "http://[fd00::10:19464/api/app/\(id)/update", .host),
    Row("zone", "http://[fe80::1%25en0]:19464/api/app/\(id)/update", .zone),
    Row("root dot", urlText("my-mac.ts.net."), .host),
    Row("octal IPv4", urlText("192.168.001.010"), .host),
    Row("hexadecimal IPv4", urlText("0x7f.1"), .host),
    Row("port 0", "http://my-mac.local:0/api/app/\(id)/update", .port),
    Row("port 65536", "http://my-mac.local:65536/api/app/\(id)/update", .port),
    Row("port with a sign", "http://my-mac.local:+80/api/app/\(id)/update", .port),
    Row("empty port", "http://my-mac.local:/api/app/\(id)/update", .port),
    Row("space", "http://my mac.local:19464/api/app/\(id)/update", .character),
    Row("line end", urlText("my-mac.local") + "\n", .character),
    Row("not ASCII", urlText("bücher.local"), .character),
    Row("47 digits", urlText("my-mac.local", id: String(id.dropLast())), .installationID),
    Row("49 digits", urlText("my-mac.local", id: id + "0"), .installationID),
    Row(
      "no hexadecimal", urlText("my-mac.local", id: String(repeating: "g", count: 48)),
      .installationID),
    Row("check path", urlText("my-mac.local") + "/check", .path),
    Row("slash behind", urlText("my-mac.local") + "/", .path),
    Row("doubled slash", "http://my-mac.local//api/app/\(id)/update", .path),
    Row("no path", "http://my-mac.local:19464", .path),
    Row("fragment", urlText("my-mac.local") + "#top", .fragment),
    Row(
      "more than 16 KiB",
      urlText("my-mac.local", query: "?a=" + String(repeating: "b", count: 16 << 10)), .length),
    Row("release item", urlText("my-mac.local", query: "?source=a&release=latest"), .release),
    Row("release item in upper case", urlText("my-mac.local", query: "?Release=latest"), .release),
    Row("escaped release item", urlText("my-mac.local", query: "?%72elease=latest"), .release),
  ]

  @Test(arguments: bad) func isRefused(_ row: Row<String, UpdateURLError.Code>) throws {
    let error = try #require(throws: UpdateURLError.self) { try UpdateURL(parsing: row.input) }
    #expect(error.code == row.expected)
    #expect(!error.detail.contains(id.dropLast()), "the ID must stay hidden")
  }

  static let good: [Row<String, [String]>] = [
    Row("name", urlText("my-mac.local"), ["my-mac.local", "19464"]),
    Row("IPv4", urlText("192.168.1.10"), ["192.168.1.10", "19464"]),
    Row("IPv6", urlText("[fd00::10]"), ["fd00::10", "19464"]),
    Row("long IPv6", urlText("[FD00:0:0:0:0:0:0:10]"), ["fd00::10", "19464"]),
    Row("upper case", urlText("My-Mac.local"), ["my-mac.local", "19464"]),
    Row("http port", "http://h/api/app/\(id)/update", ["h", "80"]),
    Row("https port", "https://h/api/app/\(id)/update", ["h", "443"]),
    Row("port 65535", "http://h:65535/api/app/\(id)/update", ["h", "65535"]),
    Row("older path", "http://h:1/update/\(id)", ["h", "1"]),
    Row("query", urlText("h", query: "?source=gh%3Aa%2Fb&filter=tv%20beta%2B"), ["h", "19464"]),
  ]

  @Test(arguments: good) func isRead(_ row: Row<String, [String]>) throws {
    let url = try UpdateURL(parsing: row.input)
    #expect([url.host.description, String(url.port)] == row.expected)
    #expect(url.revealed == row.input)
    #expect(url.installationID.revealed == id)
    #expect(url.description.contains("/0123…"))
    #expect(!url.description.contains("01234"))
  }

  @Test func queryItemsAreDecoded() throws {
    let url = try UpdateURL(
      parsing: urlText("h", query: "?source=gh%3Aa%2Fb&filter=tv+beta%2B&team"))
    #expect(url.query.map(\.name) == ["source", "filter", "team"])
    #expect(url.query.map(\.value) == ["gh:a/b", "tv beta+", ""])
  }

  @Test func isBuiltFromADestination() throws {
    let destination = try Destination(parsing: "[fd00::10]:19464", defaultPort: 1)
    let installation = try #require(InstallationID(parsing: id))
    let url = UpdateURL(
      destination: destination, installationID: installation,
      items: [("source", "gh:example/demo"), ("filter", "C++ & tv"), ("team", nil), ("x", "")])
    #expect(
      url.revealed
        == "http://[fd00::10]:19464/api/app/\(id)/update?source=gh%3Aexample%2Fdemo&filter=C%2B%2B%20%26%20tv"
    )
    #expect(try UpdateURL(parsing: url.revealed) == url)
  }

  @Test func theDefaultPortIsLeftOut() throws {
    let installation = try #require(InstallationID(parsing: id))
    let destination = try Destination(parsing: "my-mac.local:80", defaultPort: 1)
    let url = UpdateURL(destination: destination, installationID: installation, items: [])
    #expect(url.revealed == "http://my-mac.local/api/app/\(id)/update")
  }
}
