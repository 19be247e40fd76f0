internal import ATSMerge
internal import PlistKit

extension AppPage {
  private static let mostFindings = 100
  /// Findings of one rule that are listed, so that the others are seen too.
  private static let mostOfRule = 20

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
    var left = Self.mostFindings
    let groups = Self.groups(of: here).prefix { group in
      defer { left -= min(group.count, Self.mostOfRule) }
      return left > 0
    }
    let told = groups.joined().reduce(0) { $0 + $1.element.standsFor }
    return .group([
      tag(.h3, text: "\(level.heading) (\(count.grouped))"),
      groups.isEmpty
        ? .empty
        : tag(.ol, .class("findings")) {
          for group in groups {
            tag(.li, .class(level.badge.name)) { card(of: group, level) }
          }
        },
      HTML.more(
        than: told, of: count, groups.isEmpty ? "that are not listed" : "of this level"),
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
    let shown = group.prefix(Self.mostOfRule)
    return .group([
      tag(.h4) {
        HTML.badge(level.badge)
        " "
        (rule?.summary ?? "").capitalizedFirst
      },
      tag(.ol, .class("places")) {
        for finding in shown {
          tag(.li, .id("finding-\(finding.offset + 1)")) { place(of: finding.element) }
        }
      },
      HTML.more(
        than: shown.reduce(0) { $0 + $1.element.standsFor },
        of: group.reduce(0) { $0 + $1.element.standsFor }, "of this rule"),
      // What makes an app fail is to be mended: how, is seen at once.
      .element(
        .details, level == .error ? [.open] : [],
        .group([
          tag(.summary) {
            "What to do about "
            HTML.code(rule?.id ?? "it")
          },
          tag(.p, text: rule?.help ?? ""),
        ])),
    ])
  }

  private func place(of finding: Finding) -> HTML {
    .group([
      tag(.p) { HTML.own(finding.message.asSentence) },
      tag(.p, .class("key")) {
        if let file = finding.file { HTML.path(file) }
        if finding.place?.isExact != false || !finding.namesItsPath {
          switch finding.place?.location {
          case .line(let line, let column)?: ", line \(line), column \(column)"
          default: finding.placeText.map { ", \($0)" } ?? ""
          }
        }
        if let path = finding.pathText, !finding.namesItsPath {
          finding.file == nil ? "key path " : ", key path "
          HTML.path(path)
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
