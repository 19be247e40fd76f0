import Testing

@testable import ipa_inject

/// No text becomes markup, steers what is around it, or is longer than it may be.
@Suite struct HTMLWriterTests {
  private static func markup(_ html: HTML, revealing: Bool = false) -> String {
    var writer = HTMLWriter(revealsCredentials: revealing)
    writer.write(html)
    return writer.markup
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    var limit = 100
    let wanted: String

    var testDescription: String { name }
  }

  private static let id = "9c41e07b5d2f8a6340b7e19d5c28fa7136d0b84e6f9a1c53"

  static let rows = [
    Row(name: "plain", text: "Harbor", wanted: "Harbor"),
    Row(
      name: "markup", text: "<script>alert('x')</script>&amp;\"",
      wanted: "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;&quot;"),
    Row(name: "control characters", text: "a\u{7}b\r\nc\0", wanted: "a\\u{7}b\\u{D}\\u{A}c\\u{0}"),
    Row(
      name: "right-to-left override", text: "gpj\u{202E}exe",
      wanted: "gpj\\u{202E}exe"),
    Row(name: "right-to-left text", text: "العربية", wanted: "العربية"),
    Row(name: "line separators", text: "a\u{2028}b\u{2029}", wanted: "a\\u{2028}b\\u{2029}"),
    Row(
      name: "piled accents", text: "e" + String(repeating: "\u{301}", count: 7),
      wanted: "e" + String(repeating: "\u{301}", count: 4) + "···"),
    Row(
      name: "as long as it may be", text: String(repeating: "x", count: 100),
      wanted: String(repeating: "x", count: 100)),
    Row(
      name: "one more", text: String(repeating: "x", count: 101),
      wanted: String(repeating: "x", count: 100) + "… (101 bytes in all)"),
    Row(name: "an ID", text: "/api/app/\(id)/update", wanted: "/api/app/9c41…/update"),
    Row(
      name: "an ID where it is cut off", text: String(repeating: "x ", count: 40) + id,
      limit: 82, wanted: String(repeating: "x ", count: 40) + "9c… (128 bytes in all)"),
  ]

  @Test(arguments: rows) func writesTexts(_ row: Row) {
    #expect(Self.markup(.text(row.text, limit: row.limit)) == row.wanted)
  }

  @Test func pathsMayBreakBeforeSlashes() {
    let markup = Self.markup(HTML.path("/A<b>/\(Self.id)/C"))
    #expect(markup == "<code>/A&lt;b&gt;<wbr>/9c41…<wbr>/C</code>")
  }

  @Test func attributesAreEscapedToo() {
    let html = tag(.a, .link(to: "\"><img src=x>"), text: "x")
    #expect(Self.markup(html) == "<a href=\"#&quot;&gt;&lt;img src=x&gt;\">x</a>")
  }

  @Test func showsIDsOnRequest() {
    #expect(Self.markup(.text(Self.id), revealing: true) == Self.id)
  }

  @Test func showsTheStartOfTenMegabytes() {
    let text = String(repeating: "k", count: 10_000_000)
    #expect(Self.markup(.text(text)).utf8.count < 500)
  }

  @Test func imagesStandInThePage() {
    let html = HTML.image(png: [1, 2, 3], width: 4, height: 5, alternative: "Icon of <x>")
    #expect(
      Self.markup(html)
        == "<img src=\"data:image/png;base64,AQID\" width=\"4\" height=\"5\" "
        + "alt=\"Icon of &lt;x&gt;\">")
  }

  @Test func tablesHaveHeaders() {
    let html = HTML.table(
      "t", caption: "c", columns: ["a", "b"], rows: [[.text("1"), .text("2")]])
    let markup = Self.markup(html)
    for part in [
      "<caption>c</caption>", "<th scope=\"col\" role=\"columnheader\">a</th>",
      "<th scope=\"row\" role=\"rowheader\" data-label=\"a\">1</th>",
      "<td role=\"cell\" data-label=\"b\">2</td>",
    ] {
      #expect(markup.contains(part))
    }
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")])
  func groupsDigits(_ number: Int, _ text: String) {
    #expect(number.grouped == text)
  }
}
