internal import ATSMerge
internal import AppBundle
internal import NetDiscovery
internal import PlistKit

extension AppPage {
  /// Findings that the summary names.
  private static let mostNamed = 5

  /// What a person wants to know first.
  var summary: HTML {
    .group([
      verdict,
      tag(.dl, .class("tiles")) {
        for (term, text) in tiles {
          tag(.div) {
            tag(.dt, text: term)
            tag(.dd, text: text)
          }
        }
      },
    ])
  }

  private var verdict: HTML {
    guard let verification else { return .empty }
    let hasFailed = verification.report.hasFailed
    let worst = verification.report.findings.worstFirst.filter {
      $0.level >= verification.report.settings.failOn
    }
    let failing = verification.report.counts.reduce(0) { sum, level in
      level.key >= verification.report.settings.failOn ? sum + level.value : sum
    }
    return .group([
      tag(.p, .class("verdict " + (hasFailed ? "error" : "good"))) {
        tag(.span, .decorative, text: hasFailed ? "✕" : "✓")
        tag(.strong, text: hasFailed ? "Fails" : "Passes")
        tag(.span, text: verification.report.countsText)
      },
      worst.isEmpty
        ? .empty
        : tag(.ol, .class("worst")) {
          for (place, finding) in worst.prefix(Self.mostNamed).enumerated() {
            tag(.li) {
              tag(.a, .link(to: "finding-\(place + 1)")) { HTML.own(finding.message.asSentence) }
            }
          }
        },
      failing > Self.mostNamed
        ? tag(.p, .class("more")) {
          tag(
            .a, .link(to: "findings"),
            text: "and \((failing - Self.mostNamed).grouped) more that make it fail")
        } : .empty,
    ])
  }

  private var tiles: [(String, String)] {
    [
      ("Updates", updatesInShort), ("App Transport Security", transportInShort),
      ("Local network", localNetworkInShort),
      ("Signature", report.signing.inShort(isSealed: report.loaded.application.isSealed)),
    ]
  }

  private var updatesInShort: String {
    let count = report.metadata.urls.count
    switch report.metadata.state {
    case .absent: return "No update metadata."
    case .malformed: return "The update metadata is malformed; update clients ignore it."
    case .valid:
      let newest = meanings.platforms.generations.last ?? .newest
      let reached = report.metadata.urls.filter {
        meanings.policy.decision(scheme: $0.scheme, host: $0.host, on: newest).isAllowed
      }.count
      let system = newest.summary(of: meanings.platforms.system)
      return "\(count) \(count == 1 ? "destination" : "destinations"), "
        + (reached == count ? "all" : reached == 0 ? "none" : "\(reached)")
        + " allowed on \(system)."
    }
  }

  private var transportInShort: String {
    let count = report.exceptions.count
    let exceptions =
      count == 0
      ? "no exception domain"
      : count == 1 ? "1 exception domain" : "\(count.grouped) exception domains"
    let flags = meanings.exempted
    guard !flags.isEmpty else {
      return report.loaded.root.dictionary?[ATSKey.transportSecurity] == nil
        ? "In force for all hosts, without settings." : "In force, with \(exceptions)."
    }
    return "Off for " + flags.joined(separator: " and ") + ", with \(exceptions)."
  }

  private var localNetworkInShort: String {
    let value = report.loaded.root.dictionary?[LocalNetworkText.key]
    guard let value else {
      let system = meanings.platforms.system
      return ["tvOS", "watchOS"].contains(system)
        ? "\(system) asks for no permission." : "No text to ask with."
    }
    guard let text = value.string, !LocalNetworkText.isBlank(text) else {
      return "The text to ask with is not usable."
    }
    let count = report.localizedTexts.count
    return count == 0
      ? "A text to ask with, in one language."
      : "A text to ask with, and \(count) localized \(count == 1 ? "one" : "ones")."
  }
}
