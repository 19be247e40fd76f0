internal import PlistKit

/// The profiles that were given, with what they are for worked out once: there may be hundreds, and ten
/// thousand bundles.
struct ProfileChoice {
  /// A profile that was given.
  private struct Candidate {
    let index: Int
    /// What a bundle identifier must be, or begin with before at least one more label.
    let start: [UInt8]
    let isWildcard: Bool
    /// Better ones have greater values, compared in order.
    let rank: (team: Int, valid: Int, created: Double)
  }

  private let given: [SigningRequest.Profile]
  private let assigned: [[UInt8]: Int]
  private let exact: [[UInt8]: [Candidate]]
  private let wildcards: [Candidate]

  init(_ request: SigningRequest) {
    given = request.profiles
    assigned = Dictionary(
      request.profiles.enumerated().compactMap { index, profile in
        profile.bundleIdentifier.map { (Array($0.utf8), index) }
      }, uniquingKeysWith: { $1 })
    let candidates = request.profiles.enumerated().compactMap { index, given -> Candidate? in
      guard given.bundleIdentifier == nil, let pattern = given.profile.bundleIdentifier else {
        return nil
      }
      let isWildcard = given.profile.isWildcard
      let isOfTeam = request.team.map { given.profile.teamIdentifiers.contains($0) } ?? true
      let isExpired = given.profile.isExpired(at: request.date) ?? false
      return Candidate(
        index: index, start: Array(isWildcard ? pattern.utf8.dropLast() : pattern.utf8[...]),
        isWildcard: isWildcard,
        rank: (
          isOfTeam ? 1 : 0, isExpired ? 0 : 1, given.profile.creationDate?.secondsSince2001 ?? 0
        ))
    }
    exact = Dictionary(grouping: candidates.filter { !$0.isWildcard }, by: \.start)
    wildcards = candidates.filter(\.isWildcard).sorted { $0.start.count > $1.start.count }
  }

  /// The profile for a bundle, and why it is that one.
  func profile(for bundleIdentifier: String) -> (index: Int, reason: String)? {
    let name = Array(bundleIdentifier.utf8)
    if let index = assigned[name] { return (index, "the profile was given for this very bundle") }
    if let found = best(of: exact[name] ?? []) {
      return (found, "the profile is for this very identifier")
    }
    var covering: [Candidate] = []
    for candidate in wildcards where name.starts(with: candidate.start) {
      if let first = covering.first, first.start.count > candidate.start.count { break }
      if given[candidate.index].profile.covers(bundleIdentifier: bundleIdentifier) {
        covering.append(candidate)
      }
    }
    guard let found = best(of: covering) else { return nil }
    let pattern = given[found].profile.bundleIdentifier ?? "*"
    return (found, "the profile's wildcard \(pattern.clipped) covers it, and no other is closer")
  }

  private func best(of candidates: [Candidate]) -> Int? {
    var best: Candidate?
    for candidate in candidates {
      guard let known = best else {
        best = candidate
        continue
      }
      if known.rank < candidate.rank { best = candidate }
    }
    return best?.index
  }
}
