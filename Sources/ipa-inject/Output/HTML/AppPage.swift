internal import ATSMerge
internal import AppBundle
internal import NetDiscovery
internal import PlistKit

/// An app on one page: what `inspect` shows, and what `verify` found where it ran.
///
/// The page has no script and loads nothing; the same input gives the same bytes.
struct AppPage: Sendable {
  let report: InspectReport
  let icon: PageIcon
  let verification: PageVerification?
  /// Destinations that are none of the app's own, but were asked about.
  let asked: [Destination]
  /// When the page says it was made, in seconds since 1970.
  let date: Int64?
  let meanings: ATSMeanings

  init(
    report: InspectReport, icon: PageIcon, verification: PageVerification? = nil,
    asked: [Destination] = [], date: Int64?
  ) {
    self.report = report
    self.icon = icon
    self.verification = verification
    self.asked = asked
    self.date = date
    meanings = ATSMeanings(infoPlist: report.loaded.root)
  }

  /// Rows of a table that are shown.
  static let mostRows = 200

  /// What keeps the page from running or loading anything, should a text ever come through as markup.
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

  /// The page.
  func document() -> String {
    var title = HTMLWriter(revealsCredentials: report.showsSecrets)
    title.write(.text((verification == nil ? "Report on " : "Verification of ") + name, limit: 120))
    var body = HTMLWriter(revealsCredentials: report.showsSecrets)
    body.write(self.body)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <meta name="generator" content="ipa-inject \(Version.number)">
      <title>\(title.markup)</title>
      <style>
      \(PageStyle.text)</style>
      </head>
      <body>
      \(body.markup)</body>
      </html>

      """
  }

  /// What the app is called.
  var name: String {
    report.name?.nonEmpty ?? Self.name(ofFile: report.loaded.path)
  }

  /// The last part of a path: the page goes to others, whom the folders above do not concern.
  static func name(ofFile path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private var sections: [(id: String, title: String, content: HTML)] {
    [
      ("summary", "Summary", summary),
      ("findings", "Findings", findings),
      ("changes", "What changed", changes),
      ("updates", "Updates", updates),
      ("transport", "App Transport Security", transport),
      ("local-network", "Local network", localNetwork),
      ("signature", "Signature", signature),
      ("bundles", "Bundles", bundles),
      ("app", "About the app", about),
    ].filter { section in
      if case .group(let parts) = section.2 { !parts.isEmpty } else { true }
    }
  }

  private var body: HTML {
    let sections = sections
    return .group([
      tag(.a, .class("skip"), .link(to: "main"), text: "Skip to the content"),
      header,
      tag(.nav, .label("Contents")) {
        tag(.ul) {
          for section in sections {
            tag(.li) { tag(.a, .link(to: section.id), text: section.title) }
          }
        }
      },
      tag(.main, .id("main")) {
        for section in sections {
          HTML.section(section.id, section.title) { section.content }
        }
      },
      footer,
    ])
  }

  private var header: HTML {
    let version = [
      report.loaded.text("CFBundleShortVersionString").map { "Version \($0)" },
      report.loaded.text("CFBundleVersion").map { "build \($0)" },
    ].compactMap(\.self)
    return tag(.header) {
      if let image = icon.image {
        HTML.image(
          png: image.png, width: image.width, height: image.height, alternative: "Icon of \(name)")
      }
      tag(.div) {
        tag(.h1) { HTML.own(name, limit: 120) }
        tag(.p, .class("identity")) {
          if let identifier = report.loaded.text("CFBundleIdentifier") {
            HTML.code(identifier, limit: 200)
          }
          if !version.isEmpty {
            tag(.span, text: version.joined(separator: ", "))
          }
        }
      }
    }
  }

  private var footer: HTML {
    let input = report.loaded
    return tag(.footer) {
      tag(.p) {
        "Made by ipa-inject \(Version.number) from "
        HTML.own(Self.name(ofFile: input.path), limit: 200)
        ", \(input.application.byteCount.grouped) bytes"
        if let date {
          ", " + (PlistDate(secondsSince2001: Double(date) - 978_307_200).iso8601 ?? "\(date)")
        }
        "."
      }
      if !report.showsSecrets {
        tag(
          .p,
          text: "Installation IDs are credentials: no more than their first four digits are shown.")
      }
    }
  }
}

/// What the page shows of the app's icon.
struct PageIcon: Sendable {
  /// The icon as a plain PNG.
  var image: (png: [UInt8], width: Int, height: Int)?
  /// Why it is not shown.
  var note: String?
}
