internal import NetDiscovery
internal import PlistKit

/// One question to the settings, with the steps that lead to the answer.
struct ATSInquiry {
  let policy: ATSPolicy
  let host: Host
  let os: ATSGeneration
  let context: ATSContext
  /// The generation that decides: that of the OS, or an older one for an app that was linked with an
  /// older SDK.
  let generation: ATSGeneration
  private var steps: [ATSStep] = []
  /// Whether a flag that is no boolean was passed over: what the system makes of it is not documented.
  private var sawOtherType = false

  init(_ policy: ATSPolicy, host: Host, os: ATSGeneration, context: ATSContext) {
    self.policy = policy
    self.host = host
    self.os = os
    self.context = context
    generation = policy.generation(on: os)
  }

  /// Whether HTTP is allowed.
  mutating func insecureDecision() -> ATSDecision {
    lookAtSDK()
    if let match = lookForMatch() {
      let verdict = match.insecureDecision
      let isOpen =
        match.isOpenForHTTP
        || rivals(of: match).contains { $0.insecureDecision.isAllowed != verdict.isAllowed }
      return finish(verdict, certainty(of: match, isOpen: isOpen))
    }
    if let decision = lookAtLocalNetworking() { return finish(decision) }
    if let key = lookForAppWideFlag() {
      return finish(
        ATSDecision(
          isAllowed: true, reason: "\(key) is true", path: ATSKey.path.appending(key: key)))
    }
    return defaultDecision()
  }

  /// HTTPS is always allowed; what it must meet is in the decision.
  mutating func secureDecision() -> ATSDecision {
    lookAtSDK()
    let match = lookForMatch()
    if match == nil, let key = lookForAppWideFlag() {
      return finish(
        ATSDecision(
          isAllowed: true, reason: "HTTPS needs no exception; \(key) lifts the requirements",
          path: ATSKey.path.appending(key: key)))
    }
    let pin = policy.pinnedDomain(for: host, generation: generation)
    if let pin {
      note(
        ATSKey.pinnedPath.appending(key: pin.name), pin.hasKeys ? .applies : .passedOver,
        pin.hasKeys ? "the certificate must hold one of its pinned keys" : "it pins no key")
    }
    var decision = ATSDecision(
      isAllowed: true,
      reason: match.map {
        "HTTPS needs no exception; the entry of \($0.key) says what it must meet"
      }
        ?? "HTTPS needs no exception", path: match?.path)
    let requirements = ATSRequirements(entry: match?.entry, pinned: pin?.hasKeys == true)
    decision.requirements = requirements
    let isPinOpen = pin.map { !$0.hasKeys || isFar($0.name) } ?? false
    guard let match else { return finish(decision, isPinOpen ? .assumed : .documented) }
    let isOpen =
      isPinOpen || match.isOpenForHTTPS
      || rivals(of: match).contains {
        ATSRequirements(entry: $0.entry, pinned: requirements.pinned) != requirements
      }
    return finish(decision, certainty(of: match, isOpen: isOpen))
  }

  /// An app that App Transport Security does not look at.
  mutating func exemption() -> ATSDecision {
    finish(
      ATSDecision(
        isAllowed: true,
        reason:
          "the app was linked with an SDK older than App Transport Security, which is off for it",
        path: policy.sdkPath))
  }

  private mutating func lookAtSDK() {
    guard generation != os else { return }
    note(
      policy.sdkPath, .applies,
      "the app was linked with an SDK of \(policy.sdk.summary), so \(generation.summary) decides")
  }

  /// The exception domain that matches best.
  private mutating func lookForMatch() -> ATSMatch? {
    let own = ATSKey.path(domain: host.description)
    if host.isAddress && generation < .os17 {
      if policy.domains[host.description] != nil {
        note(own, .passedOver, "an address is no exception domain before iOS 17")
      }
      return nil
    }
    if policy.domains[host.description] == nil { note(own, .absent, "no entry of its own") }
    guard let match = policy.bestMatch(for: host, generation: generation) else {
      for parent in policy.parents(of: host) {
        note(ATSKey.path(domain: parent), .passedOver, "it does not include subdomains")
        let flag = policy.domains[parent]?.dictionary?[ATSKey.includesSubdomains]
        if let flag, flag.boolean == nil { sawOtherType = true }
      }
      return nil
    }
    return match
  }

  /// The ranges around an address beside the match: which wins is not documented.
  private func rivals(of match: ATSMatch) -> [ATSMatch] {
    policy.domains.ranges(holding: host).filter { $0.key != match.key }
  }

  /// How sure a match is. Apple says that subdomains are those with one more label; apps that name
  /// `ts.net` reach `machine.tailnet.ts.net`.
  private func certainty(of match: ATSMatch, isOpen: Bool) -> ATSCertainty {
    isOpen ? .assumed : match.kind == .parent && isFar(match.key) ? .observed : .documented
  }

  /// Whether a name stands more than one label above the host.
  private func isFar(_ name: String) -> Bool { host.parentNames.dropFirst().contains(name) }

  private mutating func lookAtLocalNetworking() -> ATSDecision? {
    let key = ATSKey.localNetworking
    let path = ATSKey.path.appending(key: key)
    guard let value = policy.settings[key] else {
      note(path, .absent, "it is not there")
      return nil
    }
    guard generation > .os9 else {
      note(path, .passedOver, "iOS 9 does not read it")
      return nil
    }
    guard value.boolean == true else {
      if value.boolean == nil, policy.isLocal(host, generation: generation) { sawOtherType = true }
      note(path, .passedOver, "it is \(value.flagText)")
      return nil
    }
    guard policy.isLocal(host, generation: generation) else {
      note(path, .passedOver, "\(host) is not of the local network")
      return nil
    }
    return ATSDecision(isAllowed: true, reason: "\(key) covers \(host)", path: path)
  }

  /// The app-wide flag in force for what loads.
  private mutating func lookForAppWideFlag() -> String? {
    let inForce = policy.appWideFlag(generation: generation, context: context)
    for key in [context.flag, ATSKey.arbitraryLoads].compactMap(\.self) {
      if key == inForce { return key }
      let path = ATSKey.path.appending(key: key)
      guard let value = policy.settings[key] else {
        note(path, .absent, "it is not there")
        continue
      }
      if value.boolean != true {
        if value.boolean == nil { sawOtherType = true }
        note(path, .passedOver, "it is \(value.flagText)")
      } else if key == ATSKey.arbitraryLoads,
        let other = policy.switchedOffBy(generation: generation)
      {
        note(path, .passedOver, "it is ignored since iOS 10, because \(other) is there")
      } else {
        note(path, .passedOver, "iOS 9 does not read it")
      }
    }
    return nil
  }

  private mutating func defaultDecision() -> ATSDecision {
    switch generation {
    case .os9: break
    case .os10 where host.isAddress:
      let reason =
        generation == os
        ? "addresses are not restricted before iOS 17"
        : "addresses are not restricted for an app that was linked with an SDK before iOS 17"
      return finish(ATSDecision(isAllowed: true, reason: reason))
    case .os10, .os17:
      if host.isLocalName {
        return finish(
          ATSDecision(isAllowed: true, reason: "local names are allowed since iOS 10"))
      }
    }
    let isBeyondLocal =
      generation > .os9 && policy.settings[ATSKey.localNetworking]?.boolean == true
    let uncovered =
      isBeyondLocal
      ? "neither an exception nor \(ATSKey.localNetworking) covers \(host)"
      : "no exception covers \(host)"
    // Apple says of that key that it covers addresses, and not which.
    let ofOthers: ATSCertainty =
      !isBeyondLocal || !host.isAddress
      ? .documented : host.addressClass == .shared ? .observed : .assumed
    let certainty = sawOtherType ? .assumed : ofOthers
    return finish(
      ATSDecision(
        isAllowed: false,
        reason: "\(uncovered), and HTTP is refused by default"), certainty)
  }

  private mutating func note(
    _ path: PlistKeyPath, _ outcome: ATSStep.Outcome, _ detail: String
  ) {
    steps.append(ATSStep(path: path, outcome: outcome, detail: detail))
  }

  private func finish(
    _ decision: ATSDecision, _ certainty: ATSCertainty = .documented
  ) -> ATSDecision {
    var decision = decision
    decision.certainty = certainty
    decision.trace =
      steps + [ATSStep(path: decision.path, outcome: .decides, detail: decision.reason)]
    return decision
  }
}

extension ATSContext {
  /// The app-wide flag for this alone, nil where there is none.
  var flag: String? {
    switch self {
    case .session: nil
    case .web: ATSKey.arbitraryLoadsInWebContent
    case .media: ATSKey.arbitraryLoadsForMedia
    }
  }
}

extension PlistValue {
  /// A value that is not true where a flag stands, in words.
  fileprivate var flagText: String {
    switch self {
    case .boolean(let flag): "\(flag)"
    default: "\(typeName), not a boolean"
    }
  }
}
