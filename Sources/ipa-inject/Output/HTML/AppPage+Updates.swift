internal import ATSMerge
internal import NetDiscovery
internal import PlistKit

extension AppPage {
  private static let mostDestinations = 40

  /// The update metadata, and what App Transport Security decides of each destination.
  var updates: HTML {
    let metadata = report.metadata
    return .group([
      metadata.state == .absent
        ? tag(.p) {
          "The app has no update metadata. "
          HTML.code("ipa-inject inject")
          " adds it."
        }
        : HTML.facts([
          ("State", HTML.text(metadata.state == .valid ? "valid" : "malformed")),
          ("Source", metadata.source.map { HTML.own($0) }),
          ("Filter", metadata.filter.map { HTML.own($0) }),
          ("Team", metadata.team.map { HTML.own($0) }),
          ("Release", metadata.release.map { HTML.own($0) }),
          ("Unknown keys", list(metadata.unknownKeys)),
          ("Problems", list(metadata.problems)),
        ]),
      destinations,
    ])
  }

  private func list(_ texts: [String]) -> HTML? {
    guard !texts.isEmpty else { return nil }
    return tag(.ul) {
      for text in texts.prefix(20) { tag(.li) { HTML.own(text) } }
      if texts.count > 20 { tag(.li, text: "and \((texts.count - 20).grouped) more") }
    }
  }

  private var destinations: HTML {
    let entries = report.metadata.entries
    return .group(
      entries.prefix(Self.mostDestinations).map { entry in
        tag(.div, .class("destination")) {
          tag(.h3) { HTML.code(entry.text ?? "an item that is no string") }
          switch entry.url {
          case .success(let url)?:
            decisions(scheme: url.scheme, host: url.host)
          case .failure(let error)?:
            tag(.p) {
              HTML.badge(.error)
              " " + error.detail + "."
            }
          case nil: tag(.p) { HTML.badge(.error) }
          }
        }
      } + [HTML.more(than: Self.mostDestinations, of: entries.count, "destinations")]
        + asked.prefix(Self.mostDestinations).map { destination in
          tag(.div, .class("destination")) {
            tag(.h3) { HTML.code(destination.origin) }
            tag(
              .p, .class("remark"),
              text: "Not in the app: asked for by --destination or .ipa-inject.json.")
            decisions(scheme: destination.scheme, host: destination.host)
          }
        })
  }

  private func decisions(scheme: Scheme, host: Host) -> HTML {
    let name = host.description
    let entry = report.exceptions.first { $0.key == name }
    let platforms = meanings.platforms
    return .group([
      HTML.facts([
        (
          "Exception",
          entry.map { HTML.value($0.value) }
            ?? tag(.span, .class("nothing"), text: "none of its own")
        )
      ]),
      HTML.table(
        "decisions",
        caption:
          "What App Transport Security decides of \(scheme.rawValue.uppercased()) to \(name)",
        columns: ["System", "Decision", "Why"],
        rows: decisions(scheme: scheme, host: host).reversed().map { first, last, decision in
          [
            HTML.text(ATSGeneration.summary(from: first, through: last, of: platforms.system)),
            HTML.badge(decision.isAllowed ? .allowed : .denied),
            reason(of: decision),
          ]
        }),
    ])
  }

  /// What each OS decides, those that follow one another and decide the same for the same reason
  /// together.
  private func decisions(
    scheme: Scheme, host: Host
  ) -> [(first: ATSGeneration, last: ATSGeneration, decision: ATSDecision)] {
    var runs: [(first: ATSGeneration, last: ATSGeneration, decision: ATSDecision)] = []
    for generation in meanings.platforms.generations {
      var decision = meanings.policy.decision(scheme: scheme, host: host, on: generation)
      decision.trace = []
      if let end = runs.indices.last, runs[end].decision == decision {
        runs[end].last = generation
      } else {
        runs.append((generation, generation, decision))
      }
    }
    return runs
  }

  private func reason(of decision: ATSDecision) -> HTML {
    .group([
      HTML.text(decision.reason.asSentence + "."),
      decision.requirements.map { HTML.text(" \($0.sentence.capitalizedFirst).") } ?? .empty,
      decision.certainty.remark.map { tag(.span, .class("nothing"), text: " (\($0).)") } ?? .empty,
      decision.path.map { path in
        tag(.div, .class("key")) { HTML.path(path.description) }
      } ?? .empty,
    ])
  }
}

extension String {
  /// The text with a capital at its start, where a word stands there and no key or host.
  var asSentence: String {
    let word = utf8.prefix { $0 != UInt8(ascii: " ") }
    let isWord = word.count < utf8.count && word.allSatisfy { (0x61...0x7A).contains($0) }
    return isWord ? capitalizedFirst : self
  }
}
