import Foundation
import Testing

@testable import PlistKit

@Suite struct XMLBase64Tests {
  @Test(arguments: 0...70) func writesAndReadsAsFoundationDoes(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
    let text = Base64.encode(bytes)
    #expect(String(decoding: text, as: UTF8.self) == Data(bytes).base64EncodedString())
    #expect(text.withUnsafeBufferPointer { Base64.decode($0) } == bytes)
    let spaced = Array(text.map { [$0] }.joined(separator: "\n\t".utf8))
    #expect(spaced.withUnsafeBufferPointer { Base64.decode($0) } == bytes)
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let bytes: [UInt8]?
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    .init(name: "other characters", text: "A!A*E C", bytes: [0, 1, 2]),
    .init(name: "an unfinished group", text: "AAECAw", bytes: [0, 1, 2]),
    .init(name: "padding within", text: "AA==AAEC", bytes: [0, 0, 1, 2]),
    .init(name: "padding and space", text: "AA= =", bytes: [0]),
    .init(name: "padding that another character ends", text: "AAE=!", bytes: [0, 1]),
    .init(name: "space alone", text: " \n\t", bytes: []),
    .init(name: "a byte above 127", text: "AAé=", bytes: nil),
    .init(name: "a byte above 127 after a group", text: "AAECé", bytes: nil),
  ]

  @Test(arguments: rows) func decodes(_ row: Row) {
    #expect(Array(row.text.utf8).withUnsafeBufferPointer { Base64.decode($0) } == row.bytes)
  }
}
