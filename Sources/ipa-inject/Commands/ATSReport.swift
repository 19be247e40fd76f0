internal import ATSMerge
internal import PlistKit

/// What App Transport Security says of URLs.
struct ATSReport: Report {
  /// An OS that decides.
  struct System: Sendable {
    /// What it is called on the command line: `ios17`.
    let name: String
    let generation: ATSGeneration

    init(name: String, generation: ATSGeneration) {
      self.name = name
      self.generation = generation
    }

    /// The first version of a generation.
    init(_ generation: ATSGeneration, of system: String) {
      let version = generation.versions(of: system).first
      self.init(name: system.lowercased() + version, generation: generation)
    }
  }

  let requests: [ATSRequest]
  /// The systems whose answers make the status, and that JSON has.
  let asked: [System]
  /// The systems that people see.
  let shown: [System]
  /// What the app's system is called.
  let system: String
  let policy: ATSPolicy
  let context: ATSContext
  let showsTrace: Bool
  let warnings: [String]

  private func decision(_ request: ATSRequest, _ system: System) -> ATSDecision {
    policy.decision(on: request, os: system.generation, context: context)
  }

  var status: ExitStatus {
    let areAllowed = requests.allSatisfy { request in
      asked.allSatisfy { decision(request, $0).isAllowed }
    }
    return areAllowed ? .success : .findings
  }

  var json: JSONValue {
    [
      "schema": "ipa-inject/ats/1",
      "decisions": .array(
        requests.flatMap { request in asked.map { self.json(request, $0) } }),
    ]
  }

  private func json(_ request: ATSRequest, _ system: System) -> JSONValue {
    let decision = decision(request, system)
    return [
      "url": .string(request.description), "os": .string(system.name),
      "context": .string(context.rawValue),
      "allowed": .bool(decision.isAllowed), "reason": .string(decision.reason),
      "path": .optional(decision.path?.description),
      "certainty": .string(decision.certainty.rawValue),
      "requirements": decision.requirements.map { requirements in
        [
          "minimumTLSVersion": .string(requirements.minimumTLSVersion),
          "forwardSecrecy": .bool(requirements.forwardSecrecy),
          "certificateTransparency": .bool(requirements.certificateTransparency),
          "pinned": .bool(requirements.pinned),
        ]
      } ?? .null,
      "trace": .array(
        decision.trace.map { step in
          [
            "path": .optional(step.path?.description),
            "outcome": .string(step.outcome.rawValue), "detail": .string(step.detail),
          ]
        }),
    ]
  }

  func text(_ style: Style) -> String {
    let columns = shown.map { label($0).padded(to: "allowed".count) }
    let width = requests.map(\.origin.count).max() ?? 0
    let header = "".padded(to: width) + columns.map { "  " + $0 }.joined().trimmedEnd + "\n"
    let rows = requests.map { request in
      let cells = zip(shown, columns).map { system, column in
        let isAllowed = decision(request, system).isAllowed
        return "  " + verdict(isAllowed, style, width: column.count)
      }
      return request.origin.printable.padded(to: width) + cells.joined().trimmedEnd + "\n"
    }
    return style.bold(header) + rows.joined() + requests.map { detail($0, style) }.joined()
  }

  /// What an OS is called in the table: a generation of the app's system, or what was asked for.
  private func label(_ system: System) -> String {
    System(system.generation, of: self.system).name == system.name
      ? system.generation.summary(of: self.system) : system.name
  }

  /// What several are called: `iOS 10 and later` where that is what they are.
  private func label(_ systems: [System]) -> String {
    let labels = systems.map(label)
    guard let first = systems.first?.generation, let last = systems.last?.generation,
      zip(labels, systems).allSatisfy({ $0 == $1.generation.summary(of: system) })
    else { return labels.joined(separator: ", ") }
    return ATSGeneration.summary(from: first, through: last, of: system)
  }

  private func verdict(_ isAllowed: Bool, _ style: Style, width: Int) -> String {
    let word = (isAllowed ? "allowed" : "denied").padded(to: width)
    return isAllowed ? style.green(word) : style.red(word)
  }

  /// Why, for each OS; those with the same answer share it.
  private func detail(_ request: ATSRequest, _ style: Style) -> String {
    var groups: [(systems: [System], decision: ATSDecision)] = []
    for system in shown {
      let decision = decision(request, system)
      if let last = groups.indices.last, isSame(groups[last].decision, decision) {
        groups[last].systems.append(system)
      } else {
        groups.append(([system], decision))
      }
    }
    let paragraphs = groups.map { group in
      let decision = group.decision
      let systems = groups.count == 1 ? "" : "on \(label(group.systems)) "
      var lines = [
        "  \(systems)\(verdict(decision.isAllowed, style, width: 0)): \(decision.reason.printable)"
      ]
      if let path = decision.path { lines.append("    decided by " + style.dim(path.shown)) }
      if let remark = decision.certainty.remark { lines.append("    " + remark) }
      if let requirements = decision.requirements { lines.append("    " + requirements.sentence) }
      if showsTrace { lines += trace(decision) }
      return lines.map { $0 + "\n" }.joined()
    }
    return "\n" + style.bold(request.description.printable) + "\n" + paragraphs.joined()
  }

  /// Whether two decisions read the same.
  private func isSame(_ a: ATSDecision, _ b: ATSDecision) -> Bool {
    var b = b
    if !showsTrace { b.trace = a.trace }
    return a == b
  }

  private func trace(_ decision: ATSDecision) -> [String] {
    TextTable(
      rows: decision.trace.map {
        [$0.outcome.rawValue, $0.path?.shown ?? "default", $0.detail.printable]
      }
    ).lines(indent: 4)
  }
}
