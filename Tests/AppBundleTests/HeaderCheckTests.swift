import Testing

@testable import AppBundle

@Suite struct HeaderCheckTests {
  struct Row: NamedRow {
    let name: String
    let bytes: [UInt8]
    let code: BundleError.Code?

    init(
      _ name: String, _ code: BundleError.Code?,
      _ change: @escaping (inout ArchiveBuilder.Entry) -> Void
    ) {
      self.name = name
      self.code = code
      bytes =
        Sample.archive {
          $0.change("Payload/Demo.app/Demo", change)
          $0.entries.append($0.entries.remove(at: 2))
          // Enough of them that headers stand close together.
          for number in 0..<40 {
            $0.entries.insert(.init("Payload/Demo.app/\(number)", "small"), at: 2)
          }
        }.bytes()
    }
  }

  /// What is odd in the local header of a member that is not edited.
  static let rows: [Row] = [
    Row("name", .inconsistent) { $0.localName = Array("Payload/Demo.app/Evil".utf8) },
    Row("shorter name", .inconsistent) {
      $0.localName = Array("Payload/Demo.app/Dem".utf8)
      $0.localExtra = [0]
    },
    Row("method", .inconsistent) { $0.localMethod = 0 },
    Row("encrypted", .inconsistent) { $0.localFlags = 1 },
    Row("descriptor flag", .inconsistent) { $0.localFlags = 8 },
    Row("compressed size", .inconsistent) { $0.localSizes = (2004, 2000) },
    Row("size", .inconsistent) { $0.localSizes = (2005, 1999) },
    Row("size of 0xFFFFFFFF without a zip64 field", .inconsistent) { $0.localSizes = (2005, .max) },
    Row("compressed size with a descriptor", .inconsistent) {
      $0.hasDescriptor = true
      $0.localSizes = (7, 0)
    },
    Row("extra field that reaches over the data", .overlapping) {
      // The data's first bytes are the extra field's for one that trusts the header.
      $0.localExtra = [UInt8](repeating: 0, count: 100)
      $0.packed = Array($0.body.dropLast(100))
      $0.compressedSize = 2005
    },
    Row("UTF-8 flag alone", nil) { $0.localFlags = 0x800 },
    Row("descriptor and sizes of zero", nil) { $0.hasDescriptor = true },
    Row("descriptor and compressed size, as Archive Utility writes it", nil) {
      $0.hasDescriptor = true
      $0.localSizes = (2005, 0)
    },
    Row("zip64 fields", nil) { $0.usesZip64 = true },
    Row("zip64 fields and descriptor", nil) {
      $0.usesZip64 = true
      $0.hasDescriptor = true
    },
    Row("extra fields of its own", nil) { $0.localExtra = [0x98, 0x98, 1, 0, 7, 0xFF] },
  ]

  @Test(arguments: rows)
  func bothWaysAgree(_ row: Row) throws {
    let place = try Workplace()
    try place.write("a.ipa", row.bytes)
    let archive = try #require(try NewMemberTests.archive(place.at("a.ipa")))
    func passing(_ size: Int) throws {
      var check = HeaderCheck(archive)
      for start in stride(from: 0, to: row.bytes.count, by: size) {
        let piece = Array(row.bytes[start...].prefix(size))
        try check.check(piece + [1, 2, 3], count: piece.count, at: UInt64(start))
      }
      try check.finish()
    }
    for many in [2, 1000] {
      #expect(HeaderCheck.failure(in: archive, many: many)?.code == row.code, "\(many)")
    }
    for size in [1, 7, 64, 1000, 1 << 20] {
      #expect(code { try passing(size) } == row.code, "pieces of \(size) bytes")
    }
  }

  @Test(arguments: rows.filter { $0.code != nil })
  func commitsAreRefused(_ row: Row) throws {
    let place = try Workplace()
    try place.write("a.ipa", row.bytes)
    for target in [CommitTarget.inPlace, .path(place.at("b.ipa"), replace: false)] {
      do throws(BundleError) {
        try Application.open(place.at("a.ipa")).commit(Sample.edited, to: target)
        Issue.record("it is written")
      } catch {
        #expect(error == BundleError(row.code ?? .io, detail: ""))
        #expect(error.member == "Payload/Demo.app/Demo")
      }
    }
    #expect(try place.read("a.ipa") == row.bytes)
    #expect(try place.names() == ["a.ipa"])
  }

  @Test(arguments: ArchiveCommitTests.forms)
  func goodArchivesPass(_ row: ArchiveCommitTests.Row) throws {
    let place = try Workplace()
    try place.write("a.ipa", row.bytes)
    let archive = try #require(try NewMemberTests.archive(place.at("a.ipa")))
    for many in [2, 1000] {
      #expect(HeaderCheck.failure(in: archive, many: many)?.code == nil)
    }
  }
}
