import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

@Suite struct ATSDecisionTableTests {
  @Test(arguments: ATSDecisionTable.all) func decides(_ row: ATSDecisionRow) throws {
    let parts = row.url.split(separator: "://")
    let scheme = try #require(Scheme(rawValue: String(parts[0])))
    let decision = ATSPolicy(infoPlist: row.infoPlist).decision(
      scheme: scheme, host: try Host(parsing: String(parts[1])), on: row.os, context: row.context)
    let source = Comment(rawValue: row.source.rawValue)
    #expect(decision.isAllowed == row.expected.isAllowed, source)
    #expect(decision.path == row.expected.path, source)
    #expect(decision.certainty == row.certainty, source)
    let requirements = decision.requirements.map {
      Expectation.Requirements(
        tls: $0.minimumTLSVersion, forwardSecrecy: $0.forwardSecrecy,
        transparency: $0.certificateTransparency, pinned: $0.pinned)
    }
    #expect(requirements == row.expected.requirements, source)
  }

  @Test func namesItsRowsApart() {
    let names = ATSDecisionTable.all.map(\.name)
    #expect(names.count >= 150)
    #expect(Set(names).count == names.count)
  }

  @Test func usesEverySource() {
    #expect(Set(ATSDecisionTable.all.map(\.source)) == Set(ATSSource.allCases))
  }
}
