import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

@Suite struct UpdateMetadataTests {
  static let states: [Row<PlistValue, UpdateMetadata.State>] = [
    Row("none", [:], .absent),
    Row("no dictionary", ["IPAHub": []], .malformed),
    Row("no list", ["IPAHub": ["source": "gh:a/b"]], .malformed),
    Row("empty list", ["IPAHub": ["updateURL": []]], .malformed),
    Row(
      "an item that is no string", ["IPAHub": ["updateURL": [.string(urlText("h")), 1]]], .malformed
    ),
    Row(
      "an invalid URL among others", ["IPAHub": ["updateURL": [.string(urlText("h")), "x"]]],
      .malformed),
    Row(
      "two installations",
      ["IPAHub": ["updateURL": [.string(urlText("h")), .string(urlText("h", id: otherID))]]],
      .malformed),
    Row(
      "a field of another type", ["IPAHub": ["updateURL": [.string(urlText("h"))], "filter": 1]],
      .malformed),
    Row("one URL", ["IPAHub": ["updateURL": [.string(urlText("h"))]]], .valid),
    Row(
      "several", ["IPAHub": ["updateURL": [.string(urlText("h")), .string(urlText("g"))]]], .valid),
    Row("an unknown field", ["IPAHub": ["updateURL": [.string(urlText("h"))], "x": 1]], .valid),
    Row(
      "one string, as older installations have it",
      ["IPAHub": ["updateURL": .string(urlText("h"))]], .valid),
    Row("the older path", ["IPAHub": ["updateURL": [.string("http://h/update/\(id)")]]], .valid),
  ]

  @Test(arguments: states) func isJudged(_ row: Row<PlistValue, UpdateMetadata.State>) {
    let metadata = UpdateMetadata(infoPlist: row.input)
    #expect(metadata.state == row.expected)
    #expect(metadata.problems.isEmpty == (row.expected != .malformed))
  }

  @Test func fieldsAreRead() {
    let hub: PlistValue = [
      "updateURL": [.string(urlText("h"))], "source": "s", "filter": "f", "team": "t",
      "release": "latest", "more": true,
    ]
    let metadata = UpdateMetadata(infoPlist: ["IPAHub": hub])
    #expect(
      [metadata.source, metadata.filter, metadata.team, metadata.release]
        == ["s", "f", "t", "latest"])
    #expect(metadata.unknownKeys == ["more"])
    #expect(metadata.urls.map(\.host.description) == ["h"])
  }
}
