internal import ATSMerge
internal import PlistKit

/// A verification for people: by file, in each by level and rule, and what came of it in the last line.
struct VerifyText {
  let report: VerifyReport
  let style: Style

  /// How many findings of one rule in one file are shown. One more is shown where it is the last.
  private static let shown = 5
  /// How many findings that are each of a whole file are shown of one rule.
  private static let shownWhole = 30
  /// How many files are shown.
  private static let shownFiles = 30

  var text: String {
    let files = filesWithFindings
    var explained: Set<String> = []
    var parts = files.prefix(Self.shownFiles).map { file in
      style.bold(file.name.printable) + "\n"
        + file.groups.map { group in
          let isNew = explained.insert(group.rule).inserted
          let most = file.isForAll ? Self.shownWhole : Self.shown
          return lines(of: group, most: most, explaining: isNew).map { "  \($0)\n" }.joined()
        }.joined(separator: "\n")
    }
    let rest = files.dropFirst(Self.shownFiles)
    if !rest.isEmpty {
      let count = rest.flatMap(\.groups).reduce(0) { $0 + $1.count }
      parts.append(style.dim("and \(count) more findings in \(rest.count) more files") + "\n")
    }
    return (parts + [closing]).joined(separator: "\n")
  }

  /// The findings of a rule and level in a file.
  private struct Group {
    let rule: String
    let level: FindingLevel
    var findings: [Finding]
    /// How many there are, those that are not listed included.
    var count: Int { findings.reduce(0) { $0 + $1.standsFor } }
  }

  private struct File {
    let name: String
    /// Whether it stands for all files of which findings name the file and no place in it.
    var isForAll = false
    var groups: [Group] = []
    var worst: FindingLevel { groups.first?.level ?? .note }
  }

  /// The files, those with the worst findings first, and in each the worst rules. Findings that begin
  /// with the name of their file and lead to no place in it need no heading each.
  private var filesWithFindings: [File] {
    struct Key: Hashable {
      let file: Int
      let rule: String
      let level: FindingLevel
    }
    var files: [File] = []
    var numbers: [String: Int] = [:]
    var groups: [Key: Int] = [:]
    for finding in report.findings {
      let place = report.file(of: finding)
      let name = finding.isOfWholeFile ? "Other files" : place.member ?? place.path
      let number = numbers[name] ?? files.count
      if number == files.count {
        numbers[name] = number
        files.append(File(name: name, isForAll: finding.isOfWholeFile))
      }
      let key = Key(file: number, rule: finding.rule, level: finding.level)
      if let group = groups[key] {
        files[number].groups[group].findings.append(finding)
      } else {
        groups[key] = files[number].groups.count
        files[number].groups.append(
          Group(rule: finding.rule, level: finding.level, findings: [finding]))
      }
    }
    // The findings came in the order of the rules, and sorting keeps it among equals.
    for index in files.indices { files[index].groups.sort { $0.level > $1.level } }
    return files.sorted { $0.worst > $1.worst }
  }

  private func lines(of group: Group, most: Int, explaining: Bool) -> [String] {
    let count = group.count
    let shown = count <= most + 1 ? count : most
    var lines = group.findings.prefix(shown).flatMap(lines)
    if shown < count { lines.append(style.dim("  and \(count - shown) more of \(group.rule)")) }
    if explaining, let help = RuleTable.rule(group.rule)?.firstOfHelp {
      lines.append("  \(style.dim("help:")) \(help)")
    }
    return lines
  }

  private func lines(of finding: Finding) -> [String] {
    let head = marked("\(finding.level.rawValue)[\(finding.rule)]", finding.level)
    var place = [finding.placeText, finding.pathText?.printable].compactMap(\.self)
    if finding.namesItsPath {
      // The message says it already, and of what is not there nothing else can be told.
      place = finding.place?.isExact == true ? [finding.placeText].compactMap(\.self) : []
    } else if finding.place?.isExact == false {
      place.append("(not there)")
    }
    return ["\(head): \(finding.shownMessage.printable)"]
      + (place.isEmpty ? [] : [style.dim("  at \(place.joined(separator: " "))")])
  }

  /// What came of it, in one line.
  private var closing: String {
    let verdict = report.hasFailed ? style.red("failed") : style.green("passed")
    var rules = ["\(report.checked.count) of \(RuleTable.rules(for: .verify).count) rules ran"]
    if !report.off.isEmpty {
      let byConfig = report.off.count { report.settings.offByConfig.contains($0) }
      let config = report.settings.config.map { " by \($0.printable)" } ?? ""
      let whose =
        byConfig == 0
        ? "" : byConfig == report.off.count ? config : ", \(byConfig) of them\(config)"
      rules.append("\(report.off.count) off\(whose)")
    }
    return "\(report.input.printable): \(verdict), \(report.countsText) "
      + "(\(rules.joined(separator: ", ")))\n"
  }

  private func marked(_ text: String, _ level: FindingLevel) -> String {
    switch level {
    case .error: style.red(text)
    case .warning: style.yellow(text)
    case .note: style.bold(text)
    }
  }
}
