import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

/// What a decision says it looked at.
@Suite struct ATSInquiryTests {
  struct Question: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let root: PlistValue
    let url: String
    var os = ATSGeneration.os17
    var context = ATSContext.session
    /// The outcome of each step and the end of its key path, `default` where it has none.
    let steps: [String]

    init(
      _ name: String, _ settings: PlistValue, _ url: String, on os: ATSGeneration = .os17,
      in context: ATSContext = .session, sdk: String? = nil, _ steps: [String]
    ) {
      testDescription = name
      let root = infoPlist(ats: settings)
      self.root = sdk.map { root.with("DTSDKName", .string($0)) } ?? root
      self.url = url
      self.os = os
      self.context = context
      self.steps = steps
    }
  }

  private static let withParent: PlistValue = [
    "NSExceptionDomains": [
      "b.example": ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]
    ]
  ]

  static let questions: [Question] = [
    Question(
      "nothing", [:], "http://192.168.1.10",
      [
        "absent 192.168.1.10", "absent NSAllowsLocalNetworking", "absent NSAllowsArbitraryLoads",
        "decides default",
      ]),
    Question(
      "own entry", ["NSExceptionDomains": ["a.example": allowed]], "http://a.example",
      ["decides NSExceptionAllowsInsecureHTTPLoads"]),
    Question(
      "parent", withParent, "http://a.b.example",
      ["absent a.b.example", "decides NSExceptionAllowsInsecureHTTPLoads"]),
    Question(
      "parent that stays alone", ["NSExceptionDomains": ["b.example": allowed]],
      "http://a.b.example",
      [
        "absent a.b.example", "passed-over b.example", "absent NSAllowsLocalNetworking",
        "absent NSAllowsArbitraryLoads", "decides default",
      ]),
    Question(
      "an address before iOS 17", ["NSExceptionDomains": ["10.0.0.1": allowed]], "http://10.0.0.1",
      on: .os10,
      [
        "passed-over 10.0.0.1", "absent NSAllowsLocalNetworking", "absent NSAllowsArbitraryLoads",
        "decides default",
      ]),
    Question(
      "an app of an older SDK", [:], "http://10.0.0.1", sdk: "iphoneos16.4",
      [
        "applies DTSDKName", "absent NSAllowsLocalNetworking", "absent NSAllowsArbitraryLoads",
        "decides default",
      ]),
    Question(
      "local, and not", ["NSAllowsLocalNetworking": true], "http://100.64.0.1",
      [
        "absent 100.64.0.1", "passed-over NSAllowsLocalNetworking", "absent NSAllowsArbitraryLoads",
        "decides default",
      ]),
    Question(
      "ignored beside another", ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false],
      "http://a.example",
      [
        "absent a.example", "passed-over NSAllowsLocalNetworking",
        "passed-over NSAllowsArbitraryLoads", "decides default",
      ]),
    Question(
      "flags of a web view", ["NSAllowsArbitraryLoadsInWebContent": 1], "http://a.example",
      in: .web,
      [
        "absent a.example", "absent NSAllowsLocalNetworking",
        "passed-over NSAllowsArbitraryLoadsInWebContent", "absent NSAllowsArbitraryLoads",
        "decides default",
      ]),
    Question(
      "what iOS 9 does not read",
      ["NSAllowsArbitraryLoadsForMedia": true, "NSAllowsLocalNetworking": true], "http://a.local",
      on: .os9, in: .media,
      [
        "absent a.local", "passed-over NSAllowsLocalNetworking",
        "passed-over NSAllowsArbitraryLoadsForMedia", "absent NSAllowsArbitraryLoads",
        "decides default",
      ]),
    Question(
      "pins", ["NSPinnedDomains": ["a.example": ["NSPinnedCAIdentities": [["SPKI": "x"]]]]],
      "https://a.example",
      [
        "absent a.example", "absent NSAllowsArbitraryLoads", "applies a.example", "decides default",
      ]),
    Question("another scheme", [:], "ftp://a.example", ["decides default"]),
  ]

  @Test(arguments: questions) func tells(_ question: Question) throws {
    let decision = ATSPolicy(infoPlist: question.root).decision(
      on: try ATSRequest(parsing: question.url), os: question.os, context: question.context)
    let steps = decision.trace.map { step in
      "\(step.outcome.rawValue) \(step.path.map { $0.description.split(separator: "/").last ?? "" } ?? "default")"
    }
    #expect(steps == question.steps)
    #expect(decision.trace.last?.detail == decision.reason)
    #expect(decision.trace.last?.path == decision.path)
    #expect(decision.trace.allSatisfy { !$0.detail.isEmpty })
  }

  static let certainties: [Row<(PlistValue, String), ATSCertainty>] = [
    Row("an exact address alone", (["10.1.2.3": allowed], "10.1.2.3"), .documented),
    Row(
      "an exact address in a range of the same mind",
      (["10.1.2.3": allowed, "10.0.0.0/8": allowed], "10.1.2.3"), .documented),
    Row(
      "an exact address in a range that says otherwise",
      (["10.1.2.3": allowed, "10.0.0.0/8": [:]], "10.1.2.3"), .assumed),
    Row(
      "two ranges that disagree", (["10.1.0.0/16": [:], "10.0.0.0/8": allowed], "10.1.2.3"),
      .assumed),
    Row("a name", (["a.example": allowed], "a.example"), .documented),
  ]

  @Test(arguments: certainties)
  func saysHowSureItIs(_ row: Row<(PlistValue, String), ATSCertainty>) throws {
    let policy = ATSPolicy(infoPlist: infoPlist(domains: row.input.0))
    let decision = policy.decision(scheme: .http, host: try Host(parsing: row.input.1))
    #expect(decision.certainty == row.expected)
  }
}
