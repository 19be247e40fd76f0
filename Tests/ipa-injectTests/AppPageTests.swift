import Foundation
import Testing

/// The pages of the built tool, as text; Tests/scripts/check-pages.py looks at them in a browser.
@Suite struct AppPageTests {
  /// Runs a command and reads the page that it wrote.
  private static func page(_ command: String, status: Int32 = 0) throws -> String {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(command + " --html page.html")
    #expect(outcome.status == status, "\(outcome.output)")
    return try String(
      contentsOf: workplace.folder.appending(path: "page.html"), encoding: .utf8)
  }

  private static let inject =
    "ipa-inject inject Harbor.ipa -o P.ipa --source gh:a/b --destination my-mac.local && "

  @Test func saysWhatAnAppWideExceptionMeans() throws {
    let page = try Self.page("ipa-inject inspect Harbor.app")
    for part in [
      "Off for media, with 1 exception domain.",
      "Audio and video that AVFoundation plays may come over HTTP from any host",
      "Hosts with an entry of their own keep it: tides.example.com.",
      "may fall back to TLS 1.0, where 1.2 is the default.", "alt=\"Icon of Harbor\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
  }

  @Test func saysWhatIsDecidedAndWhatChanged() throws {
    let page = try Self.page(
      Self.inject + "ipa-inject verify P.ipa --before Harbor.ipa --destination http://10.0.0.1",
      status: 1)
    for part in [
      "<strong>Fails</strong>", "1 error", "Compared with <bdi>Harbor.ipa</bdi>",
      "All other files are the same, byte for byte.",
      "<wbr>/my-mac.local<wbr>/NSExceptionAllowsInsecureHTTPLoads</code>",
      "<details open=\"\"><summary>What to do about", "<code>/IPAHub<wbr>/updateURL<wbr>/0</code>",
      ">iOS 10 and later</th>", ">iOS 17 and later</th>", ">iOS 10 to 16</th>",
      "<span aria-hidden=\"true\">✕</span> Denied", "<span aria-hidden=\"true\">✓</span> Allowed",
      "What to do about <code>ats.destination.denied</code>",
    ] {
      #expect(page.contains(part), "\(part)")
    }
  }

  @Test func asksForNothing() throws {
    let page = try Self.page("ipa-inject inspect Harbor.ipa")
    #expect(
      page.contains("default-src 'none'; style-src 'unsafe-inline'; img-src data:"))
    for part in ["<script", "<link", "http-equiv=\"refresh\"", "url(", "@import", "src=\"http"] {
      #expect(!page.contains(part), "\(part)")
    }
  }

  @Test func hasADateOnlyWhereOneIsGiven() throws {
    let dated = try Self.page("SOURCE_DATE_EPOCH=86400 ipa-inject inspect Harbor.ipa")
    #expect(dated.contains("1970-01-02T00:00:00Z"))
    let first = try Self.page("ipa-inject inspect Harbor.ipa")
    #expect(try Self.page("ipa-inject inspect Harbor.ipa") == first)
  }

  @Test func showsIDsOnRequestAlone() throws {
    let id = "9c41e07b5d2f8a6340b7e19d5c28fa7136d0b84e6f9a1c53"
    let inject = Self.inject.replacing(" &&", with: " --installation-id \(id) &&")
    #expect(!(try Self.page(inject + "ipa-inject inspect P.ipa")).contains(id.prefix(5)))
    #expect(try Self.page(inject + "ipa-inject inspect P.ipa --show-secrets").contains(id))
  }

  @Test func batchesWriteAPageEach() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "ipa-inject batch inspect Harbor.ipa Pod.ipa --html-dir pages && ls pages")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Harbor.ipa.html") && outcome.output.contains("Pod.ipa.html"))
  }

  @Test func neverReplacesTheInput() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    #expect(try workplace.run("ipa-inject inspect Harbor.ipa --html Harbor.ipa").status == 73)
    #expect(try workplace.run("ipa-inject inspect Missing.ipa --html page.html").status == 66)
    #expect(try workplace.run("test ! -e page.html && ipa-inject inspect Harbor.ipa").status == 0)
  }
}
