import Foundation
import Testing

@testable import AppBundle

/// Central directories made bad in one way each; the end records stay as they were.
@Suite struct CentralDirectoryTests {
  /// A directory of three records, with a name, an extra field and a comment each.
  struct Directory {
    var bytes: [UInt8]
    /// Where the records begin, and where the last one ends.
    let starts: [Int]
    let end: EndRecord

    init(_ change: (inout ArchiveBuilder) -> Void = { _ in }) {
      var builder = ArchiveBuilder(["a", "bb", "ccc"].map { .init($0, "data of \($0)") })
      for index in builder.entries.indices {
        builder.entries[index].extra = [0x99, 0x99, 2, 0, 7, 7]
        builder.entries[index].comment = Array("note".utf8)
      }
      change(&builder)
      let file = builder.bytes()
      let place = file.count - 22
      let start = Int(file.uint32(at: place + 16))
      bytes = Array(file[start..<place])
      var starts = [0]
      while starts[starts.count - 1] < bytes.count {
        let at = starts[starts.count - 1]
        let lengths = [28, 30, 32].map { Int(file.uint16(at: start + at + $0)) }
        starts.append(at + 46 + lengths.reduce(0, +))
      }
      self.starts = starts
      end = EndRecord(
        position: UInt64(place), bytes: Array(file[place...]), zip64: nil,
        directory: UInt64(start)..<UInt64(place), count: UInt64(builder.entries.count))
    }
  }

  struct Row: NamedRow {
    let name: String
    let code: BundleError.Code?
    let change: @Sendable (inout Directory) -> Void
  }

  private static func row(
    _ name: String, _ code: BundleError.Code?,
    _ change: @escaping @Sendable (inout Directory) -> Void
  ) -> Row { Row(name: name, code: code, change: change) }

  static let rows: [Row] = [
    row("nothing changed", nil) { _ in },
    row("a byte more", .inconsistent) { $0.bytes.append(0) },
    row("a byte less", .inconsistent) { $0.bytes.removeLast() },
    row("only a fixed part less one byte", .inconsistent) {
      $0.bytes = Array($0.bytes.prefix($0.starts[2] + 45))
    },
    row("only a fixed part", .inconsistent) {
      $0.bytes = Array($0.bytes.prefix($0.starts[2] + 46))
    },
    row("a record less", .inconsistent) { $0.bytes.removeLast($0.bytes.count - $0.starts[2]) },
    row("another signature", .inconsistent) { $0.bytes[$0.starts[1] + 3] = 3 },
    row("a name longer by one", .inconsistent) { $0.bytes[$0.starts[1] + 28] += 1 },
    row("a name of 65,535 bytes", .inconsistent) {
      $0.bytes.set(UInt16.max, at: $0.starts[2] + 28)
    },
    row("an extra field of 65,535 bytes", .inconsistent) {
      $0.bytes.set(UInt16.max, at: $0.starts[2] + 30)
    },
    row("a comment of 65,535 bytes", .inconsistent) {
      $0.bytes.set(UInt16.max, at: $0.starts[2] + 32)
    },
    row("the comment counts as extra field", nil) {
      $0.bytes.set(UInt16(10), at: $0.starts[1] + 30)
      $0.bytes.set(UInt16(0), at: $0.starts[1] + 32)
    },
    row("another disk", .inconsistent) { $0.bytes[$0.starts[1] + 34] = 1 },
    row("any disk", nil) { $0.bytes.set(UInt16.max, at: $0.starts[1] + 34) },
    row("one byte more than room", .overlapping) { $0.bytes[$0.starts[1] + 20] += 1 },
    row("one byte less than room", nil) { $0.bytes[$0.starts[1] + 20] -= 1 },
    row("the last one reaches into the directory", .inconsistent) {
      $0.bytes[$0.starts[2] + 20] += 1
    },
    row("a place in the one before", .overlapping) { $0.bytes[$0.starts[1] + 42] -= 1 },
    row("the place of the one before", .overlapping) { $0.bytes[$0.starts[1] + 42] = 0 },
    row("a place behind the directory", .inconsistent) {
      $0.bytes.set(UInt32.max - 1, at: $0.starts[0] + 42)
    },
    row("all sizes saturated without zip64", .inconsistent) {
      $0.bytes.set(UInt32.max, at: $0.starts[1] + 20)
    },
  ]

  @Test(arguments: rows)
  func mutation(_ row: Row) {
    var directory = Directory()
    row.change(&directory)
    let found = code {
      _ = try CentralDirectory(bytes: directory.bytes, end: directory.end, limits: .standard)
    }
    #expect(found == row.code)
  }

  /// Values in zip64 fields at the borders of arithmetic.
  private static let largeValues: [UInt64] = [
    .max, .max - 1, .max - 30, .max - 76, 1 << 63, 1 << 32,
  ]

  @Test(arguments: largeValues)
  func sumsThatOverflow(value: UInt64) throws {
    for field in 0..<3 {
      var directory = Directory { $0.entries[1].usesZip64 = true }
      // Size, compressed size, offset, behind the field's identifier and length.
      let place = directory.starts[1] + 46 + 2 + 4 + 8 * field
      directory.bytes.set(value, at: place)
      let found = code {
        _ = try CentralDirectory(bytes: directory.bytes, end: directory.end, limits: .standard)
      }
      // The unpacked size is the member's own affair.
      #expect(found == (field == 0 ? nil : .inconsistent))
    }
  }

  @Test func recordsOutOfOrder() throws {
    let directory = Directory { $0.isReversed = true }
    let central = try CentralDirectory(
      bytes: directory.bytes, end: directory.end, limits: .standard)
    #expect((0..<3).map { central.display($0) } == ["ccc", "bb", "a"])
    let offsets = central.records.map(\.offset)
    #expect(offsets == offsets.sorted(by: >))
    #expect(central.nextOffset(after: offsets[2]) == offsets[1])
    #expect(central.nextOffset(after: offsets[0]) == nil)
    #expect(central.records(before: offsets[0]).map(\.offset) == [offsets[1], offsets[2]])
  }

  /// Counts modulo 65,536 without zip64 records, and bounds of members.
  @Test func countsAtTheBorder() throws {
    var builder = ArchiveBuilder([])
    builder.entries = (0..<65_537).map { .init("\($0)", [UInt8]()) }
    let bytes = builder.bytes()
    let place = bytes.count - 22
    let start = Int(bytes.uint32(at: place + 16))
    func open(_ count: UInt64, _ entries: Int = .max) -> BundleError.Code? {
      let end = EndRecord(
        position: UInt64(place), bytes: Array(bytes[place...]), zip64: nil,
        directory: UInt64(start)..<UInt64(place), count: count)
      var limits = ArchiveLimits.standard
      limits.entries = entries
      return code {
        _ = try CentralDirectory(bytes: Array(bytes[start..<place]), end: end, limits: limits)
      }
    }
    #expect(open(1) == nil)
    #expect(open(65_537) == nil)
    #expect(open(0) == .inconsistent)
    #expect(open(1, 65_537) == nil)
    #expect(open(1, 65_536) == .limit)
  }
}

/// The reader of central directories beside a slow and plain one in Python.
@Suite(.enabled(if: Tool.hasPython)) struct CentralDirectoryOracleTests {
  /// Prints, for each archive named on standard input after the script, a line with "refused", or one
  /// for each record.
  private static let script = """
    import struct, sys
    def whole(data):
        place = data.rfind(b'PK\\5\\6')
        while place >= 0:
            count, size, start = struct.unpack('<HII', data[place + 10:place + 20])
            end, wide = place, data[place - 20:place - 16] == b'PK\\6\\7'
            if wide:
                end = struct.unpack('<Q', data[place - 12:place - 4])[0]
                count, size, start = struct.unpack('<QQQ', data[end + 32:end + 56])
            if start + size == end: return start, end, count, wide
            place = data.rfind(b'PK\\5\\6', 0, place)
        raise ValueError('no end record')
    def records(data):
        at, end, count, wide = whole(data)
        start, found = at, []
        while at < end:
            if end - at < 46 or data[at:at + 4] != b'PK\\1\\2': raise ValueError('signature')
            (_, made, _, flags, method, _, _, crc, cs, us, n, x, c, disk, _, attributes,
             offset) = struct.unpack('<IHHHHHHIIIHHHHHII', data[at:at + 46])
            if at + 46 + n + x + c > end: raise ValueError('record too long')
            name = data[at + 46:at + 46 + n]
            extra, fields, i = data[at + 46 + n:at + 46 + n + x], [], 0
            while i + 4 <= len(extra):
                k, l = struct.unpack('<HH', extra[i:i + 4])
                if i + 4 + l > len(extra): break
                if k == 1: fields.append(extra[i + 4:i + 4 + l])
                i += 4 + l
            values = [us, cs, offset]
            if 0xffffffff in values and fields:
                if len(fields) > 1: raise ValueError('two zip64 fields')
                rest = fields[0]
                for j, value in enumerate(values):
                    if value != 0xffffffff: continue
                    if len(rest) < 8: raise ValueError('short zip64 field')
                    values[j], rest = struct.unpack('<Q', rest[:8])[0], rest[8:]
            if disk not in (0, 0xffff): raise ValueError('disk')
            found.append((name.hex(), *values, method, flags, crc, made, attributes, at - start))
            at += 46 + n + x + c
        if len(found) != count and (wide or len(found) % 65536 != count): raise ValueError('count')
        order = sorted(found, key=lambda r: r[3])
        for r, after in zip(order, [r[3] for r in order[1:]] + [start]):
            if r[3] + 30 + len(r[0]) // 2 + r[2] > after: raise ValueError('overlap')
        return found
    for path in sys.argv[1:]:
        print(path)
        try:
            for r in records(open(path, 'rb').read()): print(*r)
        except (ValueError, struct.error):
            print('refused')
    """

  /// The same lines, as the module reads an archive.
  private func lines(_ path: String) -> String {
    do {
      let archive = try #require(
        try ArchiveFile(try Application.inputFile(path), limits: .standard))
      let directory = archive.directory
      let records = directory.records.map { record -> String in
        let name = directory.bytes[record.name].map { byte in
          let digits = String(byte, radix: 16)
          return digits.count < 2 ? "0" + digits : digits
        }.joined()
        return "\(name) \(record.size) \(record.compressedSize) \(record.offset) "
          + "\(record.method) \(record.flags) \(record.checksum) \(record.madeBy) "
          + "\(record.attributes) \(record.start)\n"
      }
      return "\(path)\n" + records.joined()
    } catch {
      return "\(path)\nrefused\n"
    }
  }

  /// Damages that concern the end records, which the plain reader does not judge.
  private static let badEnds: Set = [
    "trunc_eocd.ipa", "truncated.ipa", "prefix_unadj.ipa", "cdsize_bad.ipa", "not_zip.ipa",
    "zero.ipa", "n70000_infozip.ipa", "n70000.ipa",
  ]

  @Test(.enabled(if: Shared.folder != nil))
  func oddArchives() throws {
    let made = try #require(OddArchiveTests.made)
    let names = made.rows.map(\.name).filter { !Self.badEnds.contains($0) }
    #expect(names.count > 60)
    let paths = names.map { made.place.at($0) }
    let plain = try Tool.python(Self.script, paths)
    #expect(plain.status == 0)
    #expect(paths.map(lines).joined() == plain.output)
  }

  /// Thousands of directories with bytes changed here and there.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func damagedDirectories(seed: UInt64) throws {
    let place = try Workplace()
    let good = Sample.archive {
      $0.change { $0.hasDescriptor = seed == 2 }
      $0.change("Payload/Demo.app/z.txt") { $0.usesZip64 = true }
      $0.change("Payload/Demo.app/Demo") { $0.usesZip64 = seed == 3 }
      $0.isReversed = seed == 4
    }.bytes()
    let end = good.count - 22
    let start = Int(good.uint32(at: end + 16))
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var paths: [String] = []
    for number in 0..<500 {
      var bytes = good
      for _ in 0...random(2) {
        bytes[start + random(end - start)] = [0, 0xFF, 1, UInt8(random(256))][random(4)]
      }
      paths.append(try place.write("\(number).ipa", bytes))
    }
    let plain = try Tool.python(Self.script, paths)
    #expect(plain.status == 0)
    let refused = plain.output.split(separator: "\n").count { $0 == "refused" }
    #expect((50...450).contains(refused))
    #expect(paths.map(lines).joined() == plain.output)
  }
}
