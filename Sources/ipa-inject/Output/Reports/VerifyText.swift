internal import ATSMerge
internal import PlistKit

/// A verification for people: by file, in each by level and rule, and what came of it in the last line.
struct VerifyText {
  let report: VerifyReport
  let style: Style

  /// How many findings of one rule in one file are shown. One more is shown where it is the last.
  private static let shown = 5

  var text: String {
    let files = filesWithFindings.map { file, groups in
      style.bold(file.printable) + "\n"
        + groups.map { lines(of: $0).map { "  \($0)\n" }.joined() }.joined(separator: "\n")
    }
    return (files + [closing]).joined(separator: "\n")
  }

  /// The findings of a rule in a file, by their places.
  private struct Group {
    let rule: String
    let level: FindingLevel
    var findings: [Finding]
  }

  private var filesWithFindings: [(file: String, groups: [Group])] {
    var order: [String: Int] = [:]
    for (index, rule) in RuleTable.rules.enumerated() { order[rule.id] = index }
    var files: [String] = []
    var byFile: [String: [Group]] = [:]
    for finding in report.findings {
      let place = report.file(of: finding)
      let file = place.member ?? place.path
      if byFile[file] == nil { files.append(file) }
      var groups = byFile.removeValue(forKey: file) ?? []
      // A rule's findings follow each other, so the last group is the one.
      if let last = groups.indices.last, groups[last].rule == finding.rule,
        groups[last].level == finding.level
      {
        groups[last].findings.append(finding)
      } else {
        groups.append(Group(rule: finding.rule, level: finding.level, findings: [finding]))
      }
      byFile[file] = groups
    }
    return files.map { file in
      let groups = (byFile[file] ?? []).sorted { a, b in
        a.level == b.level
          ? order[a.rule, default: .max] < order[b.rule, default: .max] : a.level > b.level
      }
      return (file, groups)
    }.sorted { a, b in
      (a.groups.first?.level ?? .note) > (b.groups.first?.level ?? .note)
    }
  }

  private func lines(of group: Group) -> [String] {
    let count = group.findings.count
    let shown = count <= Self.shown + 1 ? count : Self.shown
    var lines = group.findings.prefix(shown).flatMap(lines)
    if shown < count { lines.append(style.dim("  and \(count - shown) more of \(group.rule)")) }
    if let help = RuleTable.rule(group.rule)?.firstOfHelp {
      lines.append("  \(style.dim("help:")) \(help)")
    }
    return lines
  }

  private func lines(of finding: Finding) -> [String] {
    let head = marked("\(finding.level.rawValue)[\(finding.rule)]", finding.level)
    var place = [finding.placeText, finding.pathText?.printable].compactMap(\.self)
    if finding.place?.isExact == false { place.append("(not there)") }
    return ["\(head): \(finding.shownMessage.printable)"]
      + (place.isEmpty ? [] : [style.dim("  at \(place.joined(separator: " "))")])
  }

  /// What came of it, in one line.
  private var closing: String {
    let counts = FindingLevel.allCases.reversed().compactMap { level in
      report.counts[level].map(level.counted)
    }
    let verdict = report.hasFailed ? style.red("failed") : style.green("passed")
    let found = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
    var rules = ["\(report.checked.count) rules ran"]
    if !report.off.isEmpty {
      let byConfig = report.off.count { report.settings.offByConfig.contains($0) }
      let config = report.settings.config.map { " by \($0.printable)" } ?? ""
      let whose =
        byConfig == 0
        ? "" : byConfig == report.off.count ? config : ", \(byConfig) of them\(config)"
      rules.append("\(report.off.count) off\(whose)")
    }
    let unready = report.notRunYet.count
    if unready > 0 { rules.append("\(unready) not run yet") }
    let others = report.notRun.count - unready
    if others > 0 { rules.append("\(others) \(others == 1 ? "does" : "do") not apply") }
    return "\(report.input.printable): \(verdict), \(found) (\(rules.joined(separator: ", ")))\n"
  }

  private func marked(_ text: String, _ level: FindingLevel) -> String {
    switch level {
    case .error: style.red(text)
    case .warning: style.yellow(text)
    case .note: style.bold(text)
    }
  }
}
