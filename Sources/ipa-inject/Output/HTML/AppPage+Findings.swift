internal import ATSMerge
internal import PlistKit

extension AppPage {
  private static let mostFindings = 150

  /// What the rules found, the worst first, those of one rule together.
  var findings: HTML {
    guard let verification else { return .empty }
    let all = verification.report.findings.worstFirst
    return .group([
      all.isEmpty ? tag(.p, text: "Nothing was found.") : .empty,
      .group(
        FindingLevel.allCases.reversed().map { level in
          findings(of: level, among: all, count: verification.report.counts[level] ?? 0)
        }),
      .remark(verification.scope),
    ])
  }

  /// Those of a level, of which the report may have more than it lists.
  private func findings(of level: FindingLevel, among all: [Finding], count: Int) -> HTML {
    guard count > 0 else { return .empty }
    let here = all.enumerated().filter { $0.element.level == level }
    let shown = here.filter { $0.offset < Self.mostFindings }
    return .group([
      tag(.h3, text: "\(level.heading) (\(count.grouped))"),
      shown.isEmpty
        ? .empty
        : tag(.ol, .class("findings")) {
          for group in Self.groups(of: shown) {
            tag(.li, .class(level.badge.name)) { card(of: group, level) }
          }
        },
      HTML.more(
        than: shown.count, of: count,
        shown.isEmpty ? "that are not listed" : "of this level"),
    ])
  }

  private typealias Numbered = (offset: Int, element: Finding)

  /// The findings of each rule, in the order of the first ones.
  private static func groups(of findings: [Numbered]) -> [[Numbered]] {
    var places: [String: Int] = [:]
    var groups: [[Numbered]] = []
    for finding in findings {
      if let place = places[finding.element.rule] {
        groups[place].append(finding)
      } else {
        places[finding.element.rule] = groups.count
        groups.append([finding])
      }
    }
    return groups
  }

  private func card(of group: [Numbered], _ level: FindingLevel) -> HTML {
    let rule = group.first.flatMap { RuleTable.rule($0.element.rule) }
    return .group([
      tag(.h4) {
        HTML.badge(level.badge)
        " "
        (rule?.summary ?? "").capitalizedFirst
      },
      tag(.ol, .class("places")) {
        for finding in group {
          tag(.li, .id("finding-\(finding.offset + 1)")) { place(of: finding.element) }
        }
      },
      tag(.details) {
        tag(.summary) {
          "What to do about "
          HTML.code(rule?.id ?? "it")
        }
        tag(.p, text: rule?.help ?? "")
      },
    ])
  }

  private func place(of finding: Finding) -> HTML {
    .group([
      tag(.p) { HTML.own(finding.message.asSentence) },
      tag(.p, .class("key")) {
        if let file = finding.file { HTML.code(file) }
        if let place = finding.placeText {
          switch finding.place?.location {
          case .line: ", line and column "
          default: ", "
          }
          place
        }
        if let path = finding.pathText {
          finding.file == nil ? "key path " : ", key path "
          HTML.code(path)
          if finding.place?.isExact == false { " (not there)" }
        }
      },
    ])
  }
}

extension FindingLevel {
  /// Above the findings of the level.
  fileprivate var heading: String {
    switch self {
    case .error: "Errors"
    case .warning: "Warnings"
    case .note: "Notes"
    }
  }

  fileprivate var badge: HTML.Badge {
    switch self {
    case .error: .error
    case .warning: .warning
    case .note: .note
    }
  }
}
