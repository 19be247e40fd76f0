internal import CodeSigning

extension AppPage {
  /// Who signed the app, whether that still fits, and the profile in it.
  var signature: HTML {
    let signing = report.signing
    guard let found = signing.signature, found.state != .none else { return .group([]) }
    let problems = found.problems
    return .group([
      tag(.p, text: signing.inShort(isSealed: true)),
      problems.isEmpty
        ? .empty
        : tag(.ul) {
          for problem in problems.prefix(Self.mostProblems) {
            tag(.li) { HTML.own(problem.message) }
          }
        },
      HTML.more(than: Self.mostProblems, of: problems.count, "problems"),
      HTML.facts(signing.signatureRows.map { ($0.label.capitalizedFirst, HTML.own($0.value)) }),
      signing.profileProblem.map { problem in tag(.p) { HTML.own(problem) } } ?? .empty,
      signing.profileRows.isEmpty
        ? .empty
        : .group([
          tag(.h3, text: "Provisioning profile"),
          HTML.facts(signing.profileRows.map { ($0.label.capitalizedFirst, HTML.own($0.value)) }),
        ]),
    ])
  }

  private static let mostProblems = 20
}
