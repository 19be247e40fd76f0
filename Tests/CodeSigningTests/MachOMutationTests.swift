import CodeSigning
import Testing

/// A good Mach-O file with one thing wrong.
struct MachOMutation: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var sample = "arm64"
  let code: SigningError.Code
  let change: @Sendable ([UInt8], MachOSlice) -> [UInt8]

  init(
    _ name: String, of sample: String = "arm64", _ code: SigningError.Code,
    _ change: @escaping @Sendable ([UInt8], MachOSlice) -> [UInt8]
  ) {
    testDescription = name
    self.sample = sample
    self.code = code
    self.change = change
  }
}

extension MachOSlice {
  /// Where the first command of a number begins.
  func place(_ number: UInt32) -> Int { loadCommands.first { $0.number == number }?.offset ?? 0 }
}

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct MachOMutationTests {
  static let header: [MachOMutation] = [
    .init("another magic", .wrongKind) { bytes, _ in bytes.setting(0x1234_5678 as UInt32, at: 0) },
    .init("one command more", .truncated) { bytes, slice in
      bytes.setting(UInt32(slice.loadCommands.count + 1), at: 16)
    },
    .init("one command less", .malformed) { bytes, slice in
      bytes.setting(UInt32(slice.loadCommands.count - 1), at: 16)
    },
    .init("all commands there can be", .limit) { bytes, _ in
      bytes.setting(UInt32.max, at: 16)
    },
    .init("command bytes to the end and one more", .truncated) { bytes, slice in
      bytes.setting(UInt32(bytes.count - slice.headerSize + 1), at: 20)
    },
    .init("command bytes beyond the limit", .limit) { bytes, _ in
      bytes.setting(UInt32.max, at: 20)
    },
    .init("four command bytes more", .malformed) { bytes, slice in
      bytes.setting(UInt32(slice.loadCommandBytes + 4), at: 20)
    },
    .init("four command bytes less", .truncated) { bytes, slice in
      bytes.setting(UInt32(slice.loadCommandBytes - 4), at: 20)
    },
    .init("no commands, but bytes of them", .malformed) { bytes, _ in
      bytes.setting(0 as UInt32, at: 16)
    },
  ]

  static let commands: [MachOMutation] = [
    .init("a command of 0 bytes", .malformed) { bytes, slice in
      bytes.setting(0 as UInt32, at: slice.loadCommands[0].offset + 4)
    },
    .init("a command of 7 bytes", .malformed) { bytes, slice in
      bytes.setting(7 as UInt32, at: slice.loadCommands[0].offset + 4)
    },
    .init("a command of 10 bytes", .malformed) { bytes, slice in
      bytes.setting(10 as UInt32, at: slice.loadCommands[0].offset + 4)
    },
    .init("the last command four bytes longer", .truncated) { bytes, slice in
      let last = slice.loadCommands[slice.loadCommands.count - 1]
      return bytes.setting(UInt32(last.size + 4), at: last.offset + 4)
    },
    .init("a command of 4 GiB", .truncated) { bytes, slice in
      bytes.setting(0xFFFF_FFFC as UInt32, at: slice.loadCommands[1].offset + 4)
    },
    .init("a section more than the command holds", .truncated) { bytes, slice in
      bytes.setting(2 as UInt32, at: slice.loadCommands[1].offset + 64)
    },
    .init("4 billion sections", .truncated) { bytes, slice in
      bytes.setting(UInt32.max, at: slice.loadCommands[1].offset + 64)
    },
    .init("a segment behind the end", .truncated) { bytes, slice in
      bytes.setting(UInt64(bytes.count + 1), at: slice.loadCommands[1].offset + 40)
    },
    .init("a segment one byte too long", .truncated) { bytes, slice in
      bytes.setting(UInt64(bytes.count + 1), at: slice.loadCommands[1].offset + 48)
    },
    .init("a segment whose end overflows", .truncated) { bytes, slice in
      bytes.setting(UInt64.max, at: slice.loadCommands[1].offset + 40)
        .setting(UInt64.max, at: slice.loadCommands[1].offset + 48)
    },
    .init("a segment beyond the address space", .malformed) { bytes, slice in
      bytes.setting(UInt64.max, at: slice.loadCommands[1].offset + 24)
    },
    .init("a section behind the end", .truncated) { bytes, slice in
      bytes.setting(UInt32.max, at: slice.loadCommands[1].offset + 72 + 48)
    },
    .init("a section too long", .truncated) { bytes, slice in
      bytes.setting(UInt64.max, at: slice.loadCommands[1].offset + 72 + 40)
    },
    .init("a 32-bit segment behind the end", of: "armv7", .truncated) { bytes, slice in
      bytes.setting(UInt32(bytes.count + 1), at: slice.loadCommands[1].offset + 32)
    },
    .init("a 32-bit segment with too many sections", of: "armv7", .truncated) { bytes, slice in
      bytes.setting(3 as UInt32, at: slice.loadCommands[1].offset + 48)
    },
    .init("a library's name in the command's head", .malformed) { bytes, slice in
      bytes.setting(8 as UInt32, at: slice.place(0xC) + 8)
    },
    .init("a library's name behind the command", .malformed) { bytes, slice in
      bytes.setting(1000 as UInt32, at: slice.place(0xC) + 8)
    },
    .init("an UUID of half the length", .truncated) { bytes, slice in
      bytes.setting(16 as UInt32, at: slice.place(0x1B) + 4)
    },
    .init("a second UUID", .malformed) { bytes, slice in
      bytes.setting(0x1B as UInt32, at: slice.place(0x32))
    },
    .init("encrypted bytes behind the end", of: "encrypted", .truncated) { bytes, slice in
      bytes.setting(UInt32.max, at: slice.place(0x2C) + 8)
    },
    .init("too many encrypted bytes", of: "encrypted", .truncated) { bytes, slice in
      bytes.setting(UInt32.max, at: slice.place(0x2C) + 12)
    },
    .init("a signature behind the end", of: "arm64 sha1", .truncated) { bytes, slice in
      bytes.setting(UInt32(bytes.count + 1), at: slice.place(0x1D) + 8)
    },
    .init("a signature one byte too long", of: "arm64 sha1", .truncated) { bytes, slice in
      let place = slice.place(0x1D) + 12
      return bytes.setting(bytes[place] + 1, at: place)
    },
    .init("a second signature", of: "arm64 sha1", .malformed) { bytes, slice in
      bytes.setting(0x1D as UInt32, at: slice.place(0x32))
        .setting(0 as UInt64, at: slice.place(0x32) + 8)
    },
  ]

  static let fat: [MachOMutation] = [
    .init("little-endian", of: "fat", .unsupported) { bytes, _ in
      bytes.setting(0xCAFE_BABE as UInt32, at: 0)
    },
    .init("no slice", of: "fat", .malformed) { bytes, _ in bytes.setting(big: 0, at: 4) },
    .init("a slice of zeros", of: "fat", .malformed) { bytes, _ in bytes.setting(big: 3, at: 4) },
    .init("44 slices", of: "fat", .malformed) { bytes, _ in bytes.setting(big: 44, at: 4) },
    .init("45 slices, as in Java", of: "fat", .wrongKind) { bytes, _ in
      bytes.setting(big: 45, at: 4)
    },
    .init("65 slices with 64-bit offsets", of: "fat64", .limit) { bytes, _ in
      bytes.setting(big: 65, at: 4)
    },
    .init("another processor than the slice's", of: "fat", .malformed) { bytes, _ in
      bytes.setting(big: 7, at: 8)
    },
    .init("a slice behind the end", of: "fat", .truncated) { bytes, _ in
      bytes.setting(big: UInt32(bytes.count + 1), at: 8 + 20 + 8)
    },
    .init("a slice one byte too long", of: "fat", .truncated) { bytes, _ in
      bytes.setting(
        big: UInt32(bytes.count) - bytes.big(at: 8 + 20 + 8) + 1, at: 8 + 20 + 12)
    },
    .init("a slice in the header", of: "fat", .malformed) { bytes, _ in
      bytes.setting(big: 40, at: 16)
    },
    .init("a slice that begins in another", of: "fat", .malformed) { bytes, _ in
      bytes.setting(big: bytes.big(at: 16) + bytes.big(at: 20) - 1, at: 36)
    },
    .init("a slice that ends in another", of: "fat", .malformed) { bytes, _ in
      bytes.setting(big: bytes.big(at: 36) - bytes.big(at: 16) + 1, at: 20)
    },
    .init("two of the same place", of: "fat", .malformed) { bytes, _ in
      bytes.setting(big: bytes.big(at: 16), at: 36)
    },
    .init("an alignment of 2^32", of: "fat", .malformed) { bytes, _ in
      bytes.setting(big: 32, at: 24)
    },
    .init("an empty slice", of: "fat", .truncated) { bytes, _ in bytes.setting(big: 0, at: 20) },
    .init("a slice with another start", of: "fat", .wrongKind) { bytes, _ in
      bytes.setting([1, 2, 3, 4], at: Int(bytes.big(at: 16)))
    },
    .init("a slice that is a static library", of: "fat", .unsupported) { bytes, _ in
      bytes.setting(Array("!<arch>\n".utf8), at: Int(bytes.big(at: 16)))
    },
    .init("a slice that is fat", of: "fat", .wrongKind) { bytes, _ in
      bytes.setting(Array(bytes[..<8]), at: Int(bytes.big(at: 16)))
    },
    .init("a 64-bit offset that overflows", of: "fat64", .truncated) { bytes, _ in
      bytes.setting(UInt64.max, at: 16, isBigEndian: true)
    },
    .init("a 64-bit size that overflows", of: "fat64", .truncated) { bytes, _ in
      bytes.setting(UInt64.max, at: 24, isBigEndian: true)
    },
  ]

  @Test(arguments: header + commands + fat) func mutation(row: MachOMutation) throws {
    let bytes = try SigningSamples.macho(row.sample)
    let slice = try #require(try MachOFile(bytes).slices.first)
    let changed = row.change(bytes, slice)
    #expect(changed != bytes)
    let error = #expect(throws: SigningError.self) { try MachOFile(changed) }
    #expect(error?.code == row.code, "\(error.map(String.init(describing:)) ?? "none")")
    #expect(error?.detail.hasSuffix(".") == false)
  }

  /// Bounds bind at the value that they name.
  @Test func limits() throws {
    let bytes = try SigningSamples.macho("fat")
    let slice = try MachOFile(bytes).slices.map(\.loadCommands.count).max() ?? 0
    let size = try MachOFile(bytes).slices.map(\.loadCommandBytes).max() ?? 0
    var limits = SigningLimits.standard
    limits.slices = 2
    limits.loadCommands = slice
    limits.loadCommandBytes = size
    #expect(try MachOFile(bytes, limits: limits).slices.count == 2)
    for change in [\SigningLimits.slices, \.loadCommands, \.loadCommandBytes] {
      var narrower = limits
      narrower[keyPath: change] -= 1
      let error = #expect(throws: SigningError.self) { try MachOFile(bytes, limits: narrower) }
      #expect(error?.code == .limit)
    }
  }
}

extension [UInt8] {
  func setting(big value: UInt32, at place: Int) -> [UInt8] {
    setting(value, at: place, isBigEndian: true)
  }

  func setting(_ byte: UInt8, at place: Int) -> [UInt8] { setting([byte], at: place) }

  func big(at place: Int) -> UInt32 {
    self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
