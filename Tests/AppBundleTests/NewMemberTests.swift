import Foundation
import Testing

@testable import AppBundle

/// Members with every kind of padding, independent of what a file system can do.
@Suite struct NewMemberTests {
  struct Row: NamedRow {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ change: @escaping (inout ArchiveBuilder.Entry) -> Void) {
      self.name = name
      bytes = Sample.archive { $0.change(Sample.infoPath, change) }.bytes()
    }
  }

  static let forms: [Row] = [
    Row("deflated") { _ in },
    Row("deflated with descriptor") { $0.hasDescriptor = true },
    Row("deflated with descriptor without signature") {
      $0.hasDescriptor = true
      $0.descriptorHasSignature = false
    },
    Row("deflated with zip64 fields") { $0.usesZip64 = true },
    Row("deflated with zip64 fields and descriptor") {
      $0.usesZip64 = true
      $0.hasDescriptor = true
    },
    Row("stored") { $0.method = 0 },
    Row("stored with zip64 fields") {
      $0.method = 0
      $0.usesZip64 = true
    },
    Row("extra field with bytes that are no field at its end") {
      $0.localExtra = [0x98, 0x98, 1, 0, 7, 0xFF, 0xFF]
    },
    Row("an earlier padding between two fields") {
      $0.localExtra = [0x98, 0x98, 1, 0, 7, 0x35, 0xD9, 3, 0, 0, 0, 0, 0x97, 0x97, 0, 0]
    },
  ]

  /// Holds, for each archive: Python's reader and `zlib` find the content, the local header tells the
  /// truth of how many bytes follow, all extra fields are whole as far as they were, padding stands in
  /// no central record and once in a local one.
  static let judge = """
    import struct, sys, zipfile, zlib
    member, wanted = sys.argv[1], open(sys.argv[2], 'rb').read()
    def fields(extra):
        found = []
        while len(extra) >= 4:
            k, l = struct.unpack('<HH', extra[:4])
            if l > len(extra) - 4: break
            found.append((k, extra[4:4 + l])); extra = extra[4 + l:]
        return found, extra
    for path in sys.argv[3:]:
        z = zipfile.ZipFile(path)
        assert z.testzip() is None, path
        assert z.read(member) == wanted, path
        i = z.getinfo(member)
        assert 0xd935 not in [k for k, _ in fields(i.extra)[0]], path
        data = open(path, 'rb').read()
        h = struct.unpack('<IHHHHHIIIHH', data[i.header_offset:i.header_offset + 30])
        start = i.header_offset + 30 + h[9]
        found, rest = fields(data[start:start + h[10]])
        assert sum(k == 0xd935 for k, _ in found) <= 1, path
        assert len(rest) == (2 if 0x9898 in dict(found) and 0x9797 not in dict(found) else 0), path
        packed = data[start + h[10]:start + h[10] + i.compress_size]
        if i.compress_type == 8:
            d = zlib.decompressobj(-15)
            assert d.decompress(packed) + d.flush() == wanted and d.eof and not d.unused_data, path
        else:
            assert packed == wanted, path
        if not i.flag_bits & 8:
            wide = dict(found).get(1)
            sizes = struct.unpack('<QQ', wide[:16])[::-1] if wide else (h[7], h[8])
            assert sizes == (i.compress_size, len(wanted)), path
    """

  @Test(.enabled(if: Tool.hasPython), arguments: forms)
  func allPaddings(_ row: Row) throws {
    let place = try Workplace()
    try place.write("old.ipa", row.bytes)
    try place.write("wanted", Sample.edited)
    let archive = try #require(try Self.archive(place.at("old.ipa")))
    let index = try #require(
      (0..<archive.directory.count).first {
        archive.directory.name($0).elementsEqual(Sample.infoPath.utf8)
      })
    let splice = try ArchiveSplice(archive, index: index, content: Sample.edited, seconds: 1 << 30)
    var paths: [String] = []
    for count in Array(0...24) + [4091, 4096, 65_000] {
      guard let padding = MemberPadding(count, of: splice.unpadded) else {
        #expect((1...3).contains(count))
        continue
      }
      let member = splice.bytes(padding)
      #expect(member.count == splice.unpadded.length + count)
      let trailer = try splice.trailer(padding, length: member.count)
      let name = "\(count).ipa"
      let (before, behind) = (Int(splice.replaced.lowerBound), splice.following)
      var bytes = row.bytes[..<before] + member
      bytes += row.bytes[Int(behind.lowerBound)..<Int(behind.upperBound)]
      paths.append(try place.write(name, bytes + trailer.directory.bytes + trailer.end))
      // Another edit takes the padding away again.
      let again = try #require(try Self.archive(place.at(name)))
      let back = try ArchiveSplice(again, index: index, content: Sample.edited, seconds: 1 << 30)
      #expect(back.bytes(.none) == splice.bytes(.none))
      #expect(back.unpadded == splice.unpadded)
    }
    let judged = try Tool.python(Self.judge, [Sample.infoPath, place.at("wanted")] + paths)
    #expect(judged.status == 0, "\(judged.output)")
    if Tool.hasUnzip {
      for path in paths {
        let tested = try Tool.run(["unzip", "-tqq", path])
        #expect(tested.status == 0, "\(tested.output)")
      }
    }
  }

  static func archive(_ path: String) throws -> ArchiveFile? {
    let descriptor = open(path, O_RDONLY)
    return try ArchiveFile(InputFile(descriptor: descriptor, path: path), limits: .standard)
  }
}
