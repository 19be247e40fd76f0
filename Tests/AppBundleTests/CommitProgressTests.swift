import Foundation
import Testing

@testable import AppBundle

/// What an observer hears of the writing.
@Suite struct CommitProgressTests {
  private final class Listener: CommitObserver {
    let wantsBytes: Bool
    var steps: [(done: UInt64, total: UInt64)] = []
    var byteCount = 0
    var isNamed = false
    init(wantsBytes: Bool) { self.wantsBytes = wantsBytes }
    func read(_ block: ArraySlice<UInt8>) { byteCount += block.count }
    func willName() { isNamed = true }
    func progress(done: UInt64, of total: UInt64) { steps.append((done, total)) }
  }

  private func expectRise(_ steps: [(done: UInt64, total: UInt64)], to total: UInt64) {
    #expect(!steps.isEmpty)
    #expect(steps.allSatisfy { $0.total == total })
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.done <= $1.done })
  }

  /// An archive with a member of two and a half blocks, whose checksum nobody looks at.
  private static func archive() -> [UInt8] {
    var large = ArchiveBuilder.Entry(
      "Payload/Demo.app/large", [UInt8](repeating: 7, count: copyBufferSize * 5 / 2))
    large.method = 0
    large.checksum = 1
    return Sample.archive { $0.add(large) }.bytes()
  }

  @Test(arguments: [false, true]) func anArchiveIsCountedByBlocks(_ isSame: Bool) throws {
    let place = try Workplace()
    let bytes = Self.archive()
    try place.write("a.ipa", bytes)
    let app = try Application.open(place.at("a.ipa"))
    let listener = Listener(wantsBytes: false)
    var options = CommitOptions()
    options.reflink = .never
    try app.commit(
      isSame ? Sample.plist : Sample.edited, to: .path(place.at("b.ipa"), replace: false),
      options: options, observer: listener)
    expectRise(listener.steps, to: UInt64(bytes.count))
    #expect(listener.steps.count >= 3)
    let written = try place.read("b.ipa").count
    #expect(listener.steps.allSatisfy { $0.done <= written })
    #expect(listener.isNamed)
  }

  @Test func bytesComeOnlyWhereTheyAreWanted() throws {
    let place = try Workplace()
    try place.write("a.ipa", Self.archive())
    let app = try Application.open(place.at("a.ipa"))
    let listener = Listener(wantsBytes: true)
    try app.commit(
      Sample.edited, to: .path(place.at("b.ipa"), replace: false), observer: listener)
    #expect(listener.byteCount == (try place.read("b.ipa").count))
    let other = Listener(wantsBytes: false)
    try app.commit(Sample.edited, to: .path(place.at("c.ipa"), replace: false), observer: other)
    #expect(other.byteCount == 0)
  }

  @Test func unpackingIsCountedByFiles() throws {
    let place = try Workplace()
    try place.write("a.ipa", Sample.archive().bytes())
    let app = try Application.open(place.at("a.ipa"))
    let listener = Listener(wantsBytes: false)
    try app.commit(Sample.plist, to: .path(place.at("b"), replace: false), observer: listener)
    let total = listener.steps.first?.total ?? 0
    expectRise(listener.steps, to: total)
    // The link's target counts, and no file has it.
    #expect(listener.steps.last?.done == total - 4)
  }

  @Test func copyingAFolderIsCountedByFiles() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    let app = try Application.open(place.at("Demo.app"))
    let listener = Listener(wantsBytes: false)
    try app.commit(Sample.plist, to: .path(place.at("b.app"), replace: false), observer: listener)
    expectRise(listener.steps, to: app.byteCount)
    #expect(listener.steps.last?.done == UInt64(Sample.plist.count + 4 + 4))
  }

  @Test func packingAFolderIsCountedByFiles() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    let app = try Application.open(place.at("Demo.app"))
    let listener = Listener(wantsBytes: false)
    try app.commit(Sample.plist, to: .path(place.at("b.ipa"), replace: false), observer: listener)
    expectRise(listener.steps, to: app.byteCount)
    // The link's target is packed too, and is no file.
    #expect(listener.steps.last?.done == app.byteCount + 4)
  }

  @Test func packingAndUnpackingAreCounted() throws {
    let place = try Workplace()
    let large = copyBufferSize * 5 / 2
    try place.write("A.app/large", [UInt8](repeating: 7, count: large))
    var steps: [(done: UInt64, total: UInt64)] = []
    _ = try Packing.pack(place.at("A.app"), to: Packing.Output(place.at("a.ipa"))) {
      steps.append(($0, $1))
    }
    expectRise(steps, to: UInt64(large))
    #expect(steps.count >= 3 && steps.last?.done == UInt64(large))
    steps = []
    _ = try Packing.unpack(place.at("a.ipa"), to: Packing.Output(place.at("b"))) {
      steps.append(($0, $1))
    }
    expectRise(steps, to: UInt64(large))
    #expect(steps.count >= 3 && steps.last?.done == UInt64(large))
  }
}
