import PlistKit
import Testing

@testable import CodeSigning

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct MachOSigningTests {
  static func sign(
    _ bytes: [UInt8], entitlements: Entitlements? = nil, infoPlist: [UInt8]? = nil
  ) throws(SigningError) -> [UInt8] {
    let seal = CodeDirectoryBuilder.Seal(
      identifier: "com.example.demo", infoPlist: infoPlist, codeResources: nil,
      blobs: try SignatureBlobs(entitlements: entitlements, limits: .standard))
    let signing = try MachOSigning(
      bytes, MachOFile(bytes), seal: seal, entitlements: entitlements)
    var signed: [UInt8] = []
    let result = try signing.write { part throws(SigningError) in signed += part }
    #expect(result.size == UInt64(signed.count))
    return signed
  }

  static let good = [
    "arm64", "arm64e", "armv7", "x86_64", "i386", "ppc", "version-min", "tvos", "watchos",
    "no-uuid",
    "not-encrypted", "room-16", "dylib", "dylib-armv7", "bundle", "linked", "tool", "large", "fat",
    "fat-3", "fat-1", "fat64", "arm64 sha1", "arm64 all-hashes", "arm64 scatter",
    "armv7 sha1-sha256",
    "fat-3 sha1-sha256", "fat64 sha1-sha256", "ppc sha1-sha256", "large all-hashes", "tool section",
    "more blobs",
  ]

  /// All seals fit, what is not the signature's stays, and a second time gives the same.
  @Test(arguments: good) func signs(_ name: String) throws {
    let bytes = try SigningSamples.macho(name)
    let signed = try Self.sign(bytes)
    let seal = try ExecutableSeal(of: signed)
    #expect(seal.isSigned && seal.isIntact)
    let old = try MachOFile(bytes).slices
    #expect(seal.slices.count == old.count)
    for (new, old) in zip(seal.slices, old) {
      #expect(new.directories.count == 1)
      let directory = try #require(new.directories.first?.codeDirectory)
      #expect(directory.version == 0x20400)
      #expect(directory.flags == .adHoc)
      #expect(directory.hashAlgorithm == .sha256)
      #expect(directory.pageSize == 4096)
      #expect(
        new.slice.loadCommands.count == old.loadCommands.count + (old.signature == nil ? 1 : 0))
      #expect(new.slice.range.lowerBound % (1 << UInt64(old.alignment)) == 0)
      let end = old.signature?.range.lowerBound ?? old.size
      #expect(directory.codeLimit == (end + 15) / 16 * 16)
      // Behind the load commands and before the signature every byte is as it was.
      let start = UInt64(new.slice.loadCommandEnd)
      #expect(
        try new.slice.bytes(of: signed).bytes(at: start, count: Int(end - start))
          == old.bytes(of: bytes).bytes(at: start, count: Int(end - start)))
    }
    #expect(try Self.sign(signed) == signed)
  }

  /// With entitlements the signature is longer, and shorter again without them.
  @Test(arguments: ["arm64", "armv7", "fat-3", "ppc"]) func growsAndShrinks(_ name: String) throws {
    let bytes = try SigningSamples.macho(name)
    let plain = try Self.sign(bytes)
    var entitlements = Entitlements()
    for number in 0..<500 { entitlements["key-\(number)"] = .string("a value of some length") }
    entitlements["get-task-allow"] = .boolean(true)
    let long = try Self.sign(plain, entitlements: entitlements)
    #expect(long.count > plain.count + 10_000)
    let seal = try ExecutableSeal(of: long)
    #expect(seal.isIntact)
    let directory = try #require(seal.slices.first?.directories.first)
    #expect(directory.codeDirectory.execSegment?.flags == 0x11)
    #expect(directory.state(of: .entitlements) == .valid)
    #expect(directory.state(of: .derEntitlements) == .valid)
    #expect(try Self.sign(long) == plain)
  }

  @Test func sealsTheSectionWithInfoPlist() throws {
    let signed = try Self.sign(try SigningSamples.macho("tool"))
    let directory = try #require(try ExecutableSeal(of: signed).slices.first?.directories.first)
    #expect(directory.state(of: .infoPlist) == .valid)
  }

  /// A good file with one thing that keeps it from being signed.
  struct Row: NamedRow {
    let name: String
    var sample = "arm64"
    let code: SigningError.Code
    var change: @Sendable ([UInt8], MachOSlice) -> [UInt8] = { bytes, _ in bytes }
  }

  static let bad: [Row] = [
    Row(name: "encrypted", sample: "encrypted", code: .unsupported),
    Row(name: "encrypted, 32 bits", sample: "encrypted-armv7", code: .unsupported),
    Row(name: "no room", sample: "no-room", code: .malformed),
    Row(name: "half the room", sample: "room-8", code: .malformed),
    Row(name: "bytes behind __LINKEDIT", code: .malformed) { bytes, _ in bytes + [1] },
    Row(name: "bytes behind the signature", sample: "arm64 sha1", code: .malformed) { bytes, _ in
      bytes + [UInt8](repeating: 0, count: 100) + [1]
    },
    Row(name: "bytes between slices", sample: "fat", code: .malformed) { bytes, slice in
      bytes.setting([1], at: Int(slice.range.lowerBound) - 1)
    },
    Row(name: "bytes behind the slices", sample: "fat", code: .malformed) { bytes, _ in bytes + [1]
    },
    Row(name: "an alignment of 2^31", sample: "fat", code: .unsupported) { bytes, _ in
      bytes.setting(big: 31, at: 24)
    },
    Row(name: "no __LINKEDIT", code: .malformed) { bytes, slice in
      bytes.setting(Array("__OTHEREDIT".utf8), at: Self.place(of: "__LINKEDIT", in: slice) + 8)
    },
    Row(name: "__LINKEDIT before the code", code: .malformed) { bytes, slice in
      let place = Self.place(of: "__LINKEDIT", in: slice)
      return bytes.setting(0 as UInt64, at: place + 40).setting(64 as UInt64, at: place + 48)
    },
    Row(name: "__LINKEDIT at the last address", code: .malformed) { bytes, slice in
      let place = Self.place(of: "__LINKEDIT", in: slice)
      return bytes.setting(UInt64.max - 0x10, at: place + 24).setting(16 as UInt64, at: place + 32)
    },
    Row(name: "debug symbols whose __LINKEDIT lies anywhere", code: .unsupported) { bytes, slice in
      let place = Self.place(of: "__LINKEDIT", in: slice)
      return bytes.setting(10 as UInt32, at: 12).setting(UInt64.max, at: place + 40)
    },
    Row(name: "a signature before __LINKEDIT", sample: "arm64 sha1", code: .malformed) {
      bytes, slice in
      bytes.setting(0x1000 as UInt32, at: slice.place(0x1D) + 8)
    },
    Row(name: "a signature in the header", sample: "arm64 sha1", code: .malformed) { bytes, slice in
      bytes.setting(0 as UInt32, at: slice.place(0x1D) + 8)
    },
  ]

  static func place(of segment: String, in slice: MachOSlice) -> Int {
    slice.segment(segment).map { slice.loadCommands[$0.command].offset } ?? 0
  }

  @Test(arguments: bad) func refuses(_ row: Row) throws {
    let bytes = try SigningSamples.macho(row.sample)
    let slice = try #require(try MachOFile(bytes).slices.first)
    let changed = row.change(bytes, slice)
    let error = #expect(throws: SigningError.self) { try Self.sign(changed) }
    #expect(error?.code == row.code, "\(error.map(String.init(describing:)) ?? "none")")
    #expect(error?.detail.hasSuffix(".") == false)
  }

  @Test func refusesAnIdentifierThatCannotBeWritten() throws {
    let bytes = try SigningSamples.macho("arm64")
    for identifier in ["", "a\0b"] {
      let seal = CodeDirectoryBuilder.Seal(
        identifier: identifier, infoPlist: nil, codeResources: nil,
        blobs: try SignatureBlobs(entitlements: nil, limits: .standard))
      let error = #expect(throws: SigningError.self) {
        try MachOSigning(bytes, MachOFile(bytes), seal: seal, entitlements: nil)
      }
      #expect(error?.code == .malformed)
    }
  }

  /// What the reader refuses is no input of the writer; nothing here may crash.
  @Test func bearsMutations() throws {
    let rows = MachOMutationTests.header + MachOMutationTests.commands + MachOMutationTests.fat
    for row in rows {
      let bytes = try SigningSamples.macho(row.sample)
      let slice = try #require(try MachOFile(bytes).slices.first)
      #expect(throws: SigningError.self) { try Self.sign(row.change(bytes, slice)) }
    }
  }

  /// With a bit of any byte of the headers and load commands flipped the file is refused, or signed as
  /// readers see it.
  @Test(arguments: ["arm64e", "armv7", "arm64 sha1", "fat", "ppc"])
  func bearsEveryByte(_ name: String) throws {
    let bytes = try SigningSamples.macho(name)
    let file = try MachOFile(bytes)
    // The load commands of a fat file's slices are those of thin files.
    let places = file.isFat ? 0..<48 : 0..<(file.slices.first?.loadCommandEnd ?? 0) + 16
    var signed = 0
    for place in places {
      var changed = bytes
      changed[place] ^= place % 2 == 0 ? 1 : 0x80
      do throws(SigningError) {
        let output = try Self.sign(changed)
        let seal = try ExecutableSeal(of: output, checksPages: false)
        #expect(seal.slices.allSatisfy { $0.signature != nil }, "byte \(place)")
        signed += 1
      } catch {
        #expect(!error.detail.isEmpty)
      }
    }
    #expect(signed > 0)
  }
}
