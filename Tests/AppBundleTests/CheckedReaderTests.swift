import Testing

@testable import AppBundle

@Suite struct CheckedReaderTests {
  /// A number of bytes that is read as it is asked for, and one that a thread reads ahead.
  static let sizes = [1000, (17 << 20) + 7]

  /// An archive with a stored member of so many bytes, and its bytes.
  private static func archive(
    _ size: Int, in place: Workplace, _ change: (inout ArchiveBuilder.Entry) -> Void = { _ in }
  ) throws -> (file: ArchiveFile, bytes: [UInt8]) {
    var builder = Sample.archive { _ in }
    var entry = ArchiveBuilder.Entry(
      "Payload/Demo.app/large", [UInt8]((0..<size).lazy.map { UInt8(truncatingIfNeeded: $0 % 251) })
    )
    entry.method = 0
    builder.entries.insert(entry, at: 1)
    builder.entries.append(.init("Payload/Demo.app/last", "last"))
    change(&builder.entries[builder.entries.count - 1])
    let bytes = builder.bytes()
    try place.write("a.ipa", bytes)
    return (try #require(try NewMemberTests.archive(place.at("a.ipa"))), bytes)
  }

  /// All bytes of the blocks.
  private static func all(_ reader: CheckedReader) throws(BundleError) -> [UInt8] {
    var bytes: [UInt8] = []
    while var block = try reader.next() {
      bytes += block.bytes[..<block.count]
      reader.takeBack(&block.bytes)
    }
    return bytes
  }

  @Test(arguments: sizes)
  func readsTheRangesInTheirOrder(_ size: Int) throws {
    let place = try Workplace()
    let (file, bytes) = try Self.archive(size, in: place)
    let end = UInt64(bytes.count)
    for ranges in [[0..<end], [], [5..<5], [0..<300, 300..<301, 500..<end], [400..<end, 0..<end]] {
      let wanted = ranges.flatMap { bytes[Int($0.lowerBound)..<Int($0.upperBound)] }
      let found = try Self.all(CheckedReader(file, ranges))
      #expect(found == wanted, "\(ranges)")
    }
  }

  @Test(arguments: sizes)
  func refusesWhatTheHeadersDoNotAgreeOn(_ size: Int) throws {
    let place = try Workplace()
    let (file, bytes) = try Self.archive(size, in: place) { $0.localMethod = 99 }
    // Headers that no range holds are checked at the end.
    for ranges in [[0..<UInt64(bytes.count)], [0..<UInt64(size)], []] {
      #expect(code { _ = try Self.all(CheckedReader(file, ranges)) } == .inconsistent, "\(ranges)")
    }
  }

  @Test(arguments: sizes)
  func noticesAFileThatBecameShorter(_ size: Int) throws {
    let place = try Workplace()
    let (file, bytes) = try Self.archive(size, in: place)
    let end = UInt64(bytes.count)
    #expect(code { _ = try Self.all(CheckedReader(file, [0..<end + 1])) } == .inputChanged)
  }

  @Test(arguments: sizes)
  func endsWhereNobodyReadsOn(_ size: Int) throws {
    let place = try Workplace()
    let (file, bytes) = try Self.archive(size, in: place)
    let reader = CheckedReader(file, [0..<UInt64(bytes.count)])
    let block = try #require(try reader.next())
    #expect(block.bytes[..<block.count] == bytes[..<block.count])
  }
}
