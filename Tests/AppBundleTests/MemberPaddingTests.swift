import Testing

@testable import AppBundle

@Suite struct MemberPaddingTests {
  struct Row: NamedRow {
    let name: String
    let member: MemberPadding.Member
    /// Counts of bytes that no padding has.
    let missing: Set<Int>

    init(_ name: String, method: UInt16, extraRoom: Int = 0xFFFF, missing: Set<Int>) {
      self.name = name
      member = MemberPadding.Member(length: 1000, method: method, extraRoom: extraRoom)
      self.missing = missing
    }
  }

  static let rows: [Row] = [
    Row("deflated", method: 8, missing: [1, 2, 3]),
    Row("stored", method: 0, missing: [1, 2, 3]),
    Row(
      "deflated without room in the extra field", method: 8, extraRoom: 3,
      missing: Set((0...40).filter { $0 % 5 != 0 })),
    Row(
      "stored with little room in the extra field", method: 0, extraRoom: 10,
      missing: Set([1, 2, 3] + Array(11...40))),
  ]

  @Test(arguments: rows)
  func countsOfBytes(_ row: Row) throws {
    for count in 0...40 {
      let padding = MemberPadding(count, of: row.member)
      #expect((padding == nil) == row.missing.contains(count), "\(count)")
      guard let padding else { continue }
      #expect(padding.count == count)
      #expect(padding.blockBytes.count + padding.extraBytes.count == count)
      if row.member.method == 0 { #expect(padding.blocks == 0) }
    }
    #expect(MemberPadding(-1, of: row.member) == nil)
  }

  @Test func mostBytes() {
    let deflated = MemberPadding.Member(length: 0, method: 8, extraRoom: 0xFFFF)
    let stored = MemberPadding.Member(length: 0, method: 0, extraRoom: 0xFFFF)
    #expect(MemberPadding(MemberPadding.limit, of: deflated)?.count == MemberPadding.limit)
    #expect(MemberPadding(MemberPadding.limit + 1, of: deflated) == nil)
    #expect(MemberPadding(0xFFFF, of: stored)?.extraBytes.count == 0xFFFF)
    #expect(MemberPadding(0x1_0000, of: stored) == nil)
  }

  @Test(arguments: [0, 8] as [UInt16], [512, 4096, 16384])
  func movingByWholeBlocks(method: UInt16, blockSize: Int) throws {
    for room in stride(from: 30, to: 30 + 2 * blockSize, by: blockSize == 512 ? 1 : 37) {
      let member = MemberPadding.Member(length: 3000, method: method, extraRoom: 0xFFFF)
      let padding = try #require(
        MemberPadding.moving(by: blockSize, from: room, with: member), "\(room)")
      #expect((member.length + padding.count - room) % blockSize == 0, "\(room)")
      // The least: one block less would be no padding, or one that cannot be.
      let less = padding.count - blockSize
      #expect(less < 0 || MemberPadding(less, of: member) == nil, "\(room)")
    }
  }

  @Test func fillingRoom() {
    let member = MemberPadding.Member(length: 100, method: 8, extraRoom: 0xFFFF)
    #expect(MemberPadding.filling(99, with: member) == nil)
    #expect(MemberPadding.filling(100, with: member) == MemberPadding.none)
    #expect(MemberPadding.filling(103, with: member) == nil)
    #expect(MemberPadding.filling(117, with: member)?.count == 17)
    #expect(MemberPadding.filling(Int.max, with: member) == nil)
  }

  @Test func piecesCoverAllBytesInWholeBlocks() {
    for blockSize: UInt64 in [512, 4096] {
      for before: UInt64 in [0, 1, 511, 4096, 5000] {
        for length: UInt64 in [0, 1, 4095, 4096, 20_000] {
          let behind = before + 700..<before + 700 + length
          let pieces = SharedPieces(before: before, behind: behind, blockSize: blockSize)
          for shared in [pieces.before, pieces.behind] where !shared.isEmpty {
            #expect(shared.lowerBound % blockSize == 0 && shared.upperBound % blockSize == 0)
          }
          #expect(pieces.before.lowerBound == 0)
          #expect(pieces.before.upperBound == pieces.beforeRest.lowerBound)
          #expect(pieces.beforeRest.upperBound == before && pieces.beforeRest.count < blockSize)
          let parts = (pieces.behindRests + [pieces.behind]).filter { !$0.isEmpty }
            .sorted { $0.lowerBound < $1.lowerBound }
          #expect(parts.reduce(0) { $0 + $1.count } == Int(length))
          #expect(parts.first?.lowerBound == (length == 0 ? nil : behind.lowerBound))
          #expect(parts.last?.upperBound == (length == 0 ? nil : behind.upperBound))
          #expect(pieces.behindRests.allSatisfy { UInt64($0.count) < 2 * blockSize })
        }
      }
    }
  }
}
