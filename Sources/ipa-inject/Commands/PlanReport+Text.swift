internal import ATSMerge
internal import AppBundle
internal import CodeSigning
internal import PlistKit

extension PlanReport {
  /// How many steps are shown. Those with findings are shown first where there are more.
  private static let shownSteps = 200
  /// How many findings of one step are shown.
  private static let shownFindings = 12

  func text(_ style: Style) -> String {
    let findings = findingsByStep
    let nodes = tree
    var shown = Set(nodes.map(\.step).prefix(Self.shownSteps))
    if nodes.count > Self.shownSteps {
      let worst = nodes.map(\.step).filter { findings[$0] != nil } + nodes.map(\.step)
      shown = Set(worst.prefix(Self.shownSteps))
    }
    let kept = nodes.filter { shown.contains($0.step) }
    var rows: [[String]] = []
    for node in kept {
      let step = plan.steps[node.step]
      rows.append([
        Self.mark(findings[node.step] ?? []),
        String(step.order),
        String(repeating: "  ", count: min(node.depth, 20)) + node.name.cut(to: 100).printable,
        step.object.kind.rawValue,
        step.identifierToUse.cut(to: 100).printable,
      ])
    }
    let lines = TextTable(rows: rows).lines()
    var parts = [style.bold(title.printable), ""]
    for (node, line) in zip(kept, lines) {
      parts.append(Self.marked(line, findings[node.step] ?? [], style))
      parts += details(of: plan.steps[node.step], style)
      parts += self.lines(of: findings[node.step] ?? [], style)
    }
    if kept.count < nodes.count {
      parts.append(style.dim("and \(nodes.count - kept.count) more steps"))
    }
    if !self.findings.hasFailed {
      parts += ["", style.bold("To sign it")] + SignerLines(self).lines.map { "  " + $0 }
    }
    return (parts + ["", closing(style)]).joined(separator: "\n") + "\n"
  }

  private var title: String {
    let name = loaded.text("CFBundleDisplayName") ?? loaded.text("CFBundleName")
    let version = loaded.text("CFBundleShortVersionString")
    let systems = plan.platforms.map(\.description).joined(separator: ", ")
    let count = plan.steps.count
    return [name ?? loaded.path, version].compactMap { $0?.cut(to: 100) }.joined(separator: " ")
      + (systems.isEmpty ? "" : " for \(systems)")
      + ", \(count) step\(count == 1 ? "" : "s")"
  }

  // MARK: The tree

  /// A step where it lies: below the object around it, which is signed after it.
  private struct Node {
    let step: Int
    let depth: Int
    /// The path from the object around it.
    let name: String
  }

  /// The steps as a tree, the app first, in each object by path.
  private var tree: [Node] {
    let places = Dictionary(
      plan.steps.enumerated().map { ($1.object.path, $0) }, uniquingKeysWith: { first, _ in first })
    let main = plan.steps.count - 1
    var children: [Int: [(step: Int, name: String)]] = [:]
    for (index, step) in plan.steps.enumerated() where index != main {
      let path = step.object.path
      var rest = path[...]
      var parent = main
      while let slash = rest.utf8.lastIndex(of: 0x2F) {
        rest = rest[..<slash]
        if let place = places[String(rest)] {
          parent = place
          break
        }
      }
      let around = plan.steps[parent].object.path
      let name = around == "." ? path : String(path.utf8.dropFirst(around.utf8.count + 1)) ?? path
      children[parent, default: []].append((index, name))
    }
    var nodes: [Node] = []
    var pending = [Node(step: main, depth: 0, name: plan.steps.last?.object.path ?? "")]
    while let node = pending.popLast() {
      nodes.append(node)
      let inner = (children[node.step] ?? []).sorted {
        $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
      }
      pending += inner.reversed().map { Node(step: $0.step, depth: node.depth + 1, name: $0.name) }
    }
    return nodes
  }

  // MARK: Lines

  private static func mark(_ findings: [Finding]) -> String {
    switch findings.map(\.level).max() {
    case .error?: "wrong"
    case .warning?: "warn"
    case .note?, nil: "ok"
    }
  }

  private static func marked(_ line: String, _ findings: [Finding], _ style: Style) -> String {
    let mark = mark(findings)
    let rest = String(line.dropFirst(mark.count))
    return switch mark {
    case "wrong": style.red(mark) + rest
    case "warn": style.yellow(mark) + rest
    default: style.green(mark) + rest
    }
  }

  /// The profile and the entitlements of a step.
  private func details(of step: SigningPlan.Step, _ style: Style) -> [String] {
    var lines: [String] = []
    if let planned = step.profile {
      let profile = planned.profile
      let name = profile.name.map { "'\($0.cut(to: 100))' " } ?? ""
      let end = profile.expirationDate?.iso8601.map { ", until \($0.prefix { $0 != "T" })" } ?? ""
      let application = profile.applicationIdentifier.map { " for \($0.cut(to: 100))" } ?? ""
      lines.append(
        "profile \(name)(\(planned.isGiven ? planned.file : "embedded"))\(application)\(end)")
    }
    if let keys = step.entitlements?.values.entries.map(\.key), !keys.isEmpty {
      let more = keys.count > 6 ? " and \(keys.count - 6) more" : ""
      lines.append(
        "entitlements " + keys.prefix(6).map { $0.cut(to: 80) }.joined(separator: ", ") + more)
    }
    if step.keepsSignature { lines.append("keeps the signature that it has") }
    return lines.map { style.dim("        " + $0.printable) }
  }

  private func lines(of findings: [Finding], _ style: Style) -> [String] {
    let sorted = findings.worstFirst
    let most = sorted.count <= Self.shownFindings + 1 ? sorted.count : Self.shownFindings
    var lines = sorted.prefix(most).map { finding in
      let head = "\(finding.level.rawValue)[\(finding.rule)]"
      let mark =
        switch finding.level {
        case .error: style.red(head)
        case .warning: style.yellow(head)
        case .note: style.bold(head)
        }
      return "      \(mark): \(finding.shownMessage.printable)"
    }
    if most < sorted.count {
      lines.append(style.dim("      and \(sorted.count - most) more"))
    }
    return lines
  }

  private func closing(_ style: Style) -> String {
    let verdict =
      findings.counts[.error, default: 0] > 0
      ? style.red("a device would refuse it")
      : findings.hasFailed
        ? style.yellow("not ready to be signed") : style.green("ready to be signed")
    let rules = "\(findings.checked.count) of \(RuleTable.rules(for: .plan).count) rules ran"
    let off = findings.off.isEmpty ? "" : ", \(findings.off.count) off"
    return "\(loaded.path.printable): \(verdict), \(findings.countsText) (\(rules)\(off))"
  }
}
