import Testing

@testable import ipa_inject

@Suite struct MarkupEscapingTests {
  @Test(arguments: [
    ("plain é", "plain é"), ("<a>&\"'", "&lt;a&gt;&amp;&quot;&#39;"), ("]]>", "]]&gt;"),
    ("\u{0}\u{8}\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ("\t\n", "\t\n"),
    ("\u{1F600}", "\u{1F600}"),
  ]) func escapes(_ text: String, _ escaped: String) { #expect(text.markupEscaped == escaped) }
}
