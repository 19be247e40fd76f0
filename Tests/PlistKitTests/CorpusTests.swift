import Foundation
import Testing

@testable import PlistKit

/// A file that other projects collected, with Apple's verdict.
struct CorpusFile: CustomTestStringConvertible, Sendable {
  let name: String
  let isReadByApple: Bool

  var testDescription: String { name }
  var bytes: [UInt8] {
    get throws { try SharedFiles.bytes("plists/" + name) }
  }

  /// The files of the list that are on this machine. Its third column is `plutil -lint`.
  static let all: [CorpusFile] = {
    let list = (try? SharedFiles.bytes("plists/CORPUS-SPLIT.tsv")) ?? []
    return String(decoding: list, as: UTF8.self).split(separator: "\n").dropFirst().compactMap {
      let columns = $0.split(separator: "\t", omittingEmptySubsequences: false)
      guard columns.count > 2 else { return nil }
      let file = CorpusFile(name: String(columns[0]), isReadByApple: columns[2] == "ok")
      return (try? file.bytes) == nil ? nil : file
    }
  }()
}

/// The files of other projects stay outside the package; where they are not on this machine, these
/// tests do not run.
@Suite(
  .enabled(if: !CorpusFile.all.isEmpty, "the collected files are not on this machine"),
  .timeLimit(.minutes(5)))
struct CorpusTests {
  /// The properties that it takes to decide as Apple's reader does.
  static let differences: [String: [StrictnessProperty]] = [
    "cpython/invalid_00_too_short_data.plist": [\.readsDamagedBinaryAsText, \.allowsBareWord],
    "go-plist/testdata/xml_unusual_cases/s04.plist": [\.allowsCommentsInText],
    "go-plist/testdata/xml_unusual_cases/s07.plist": [\.allowsLooseTags],
    "go-plist/testdata/xml_unusual_cases/s08.plist": [\.allowsTrailingBytes],
    "go-plist/testdata/xml_unusual_cases/s09.plist": [\.allowsLooseProlog],
    "go-plist/testdata/xml_unusual_cases/s10.plist": [\.allowsLooseTags],
    "go-plist/testdata/xml_unusual_cases/s11.plist": [\.allowsDuplicateKeys],
    "libplist/fuzz/bplist-crashes/crash-39f1347115f8fe9ac25cdc9332e3fc5cd32c7f7b":
      [\.allowsNonStringKeys],
    "libplist/fuzz/xplist-leaks/leak-4c81aae70b20d9b9408b78d40999a54205bdcfb7":
      [\.allowsLooseProlog, \.allowsTrailingBytes],
    "swift-foundation/JSON/javascriptcore_tests.plist": [\.allowsControlCharacterReferences],
  ]

  @Test(arguments: CorpusFile.all) func isDecidedAsTheTableSays(_ file: CorpusFile) throws {
    let bytes = try file.bytes
    var strictness = ParseStrictness.strict
    for property in Self.differences[file.name] ?? [] {
      let isRead = code(reading: bytes, strictness: strictness) == nil
      #expect(isRead != file.isReadByApple)
      strictness[keyPath: property].toggle()
    }
    let isRead = code(reading: bytes, strictness: strictness) == nil
    #expect(isRead == file.isReadByApple)
  }

  @Test(arguments: CorpusFile.all) func appleDecidesAndLosesNothing(_ file: CorpusFile) throws {
    let bytes = try file.bytes
    guard var document = try? PlistDocument(parsing: bytes, strictness: .apple) else {
      #expect(!file.isReadByApple)
      return
    }
    #expect(file.isReadByApple)
    #expect(try document.serialized() == bytes)
    guard document.format != .openStep, document.root.dictionary != nil else { return }
    document.root = try document.root.setting(["edited": [true]], at: PlistKeyPath(keys: "added"))
    let again = try PlistDocument(parsing: document.serialized(), strictness: .apple)
    #expect(again.root == document.root)
  }

  @Test func allAreCompared() {
    #expect(CorpusFile.all.count >= 200)
    #expect(Set(Self.differences.keys).isSubset(of: CorpusFile.all.map(\.name)))
  }
}
