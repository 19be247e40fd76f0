import CodeSigning
import Testing

/// A thin file of the samples and what its headers say.
struct ThinRow: CustomTestStringConvertible {
  let name: String
  var architecture = "arm64"
  var is64Bit = true
  var isBigEndian = false
  var type = MachOFileType.executable
  var build = "iOS 15.0 18.0"
  var hasUUID = true
  var cryptID: UInt32?
  var installName: String?
  var libraries: [String] = []
  var runPaths: [String] = []

  var testDescription: String { name }
}

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct MachOFileTests {
  static let rows = [
    ThinRow(name: "arm64"), ThinRow(name: "arm64e", architecture: "arm64e"),
    ThinRow(name: "armv7", architecture: "armv7", is64Bit: false),
    ThinRow(name: "x86_64", architecture: "x86_64", build: "iOS Simulator 15.0 18.0"),
    // LC_VERSION_MIN_IPHONEOS on an Intel processor is the simulator's.
    ThinRow(
      name: "i386", architecture: "i386", is64Bit: false, build: "iOS Simulator 15.0 18.0"),
    ThinRow(
      name: "ppc", architecture: "ppc", is64Bit: false, isBigEndian: true,
      build: "macOS 15.0 18.0"),
    ThinRow(name: "version-min"), ThinRow(name: "tvos", build: "tvOS 15.0 18.0"),
    ThinRow(name: "watchos", build: "watchOS 15.0 18.0"),
    ThinRow(name: "no-uuid", hasUUID: false), ThinRow(name: "encrypted", cryptID: 1),
    ThinRow(name: "encrypted-armv7", architecture: "armv7", is64Bit: false, cryptID: 1),
    ThinRow(name: "not-encrypted", cryptID: 0),
    ThinRow(name: "dylib", type: .dynamicLibrary, installName: "@rpath/Demo.framework/Demo"),
    ThinRow(
      name: "dylib-armv7", architecture: "armv7", is64Bit: false, type: .dynamicLibrary,
      installName: "@rpath/Demo.framework/Demo"),
    ThinRow(name: "bundle", type: .bundle),
    ThinRow(
      name: "linked", libraries: ["@rpath/A.framework/A", "@rpath/B.dylib"],
      runPaths: ["@executable_path/Frameworks", "@loader_path/Frameworks"]),
  ]

  @Test(arguments: rows) func thin(row: ThinRow) throws {
    let bytes = try SigningSamples.macho(row.name)
    let file = try MachOFile(bytes)
    #expect(!file.isFat)
    let slice = try #require(file.slices.first)
    #expect(slice.range == 0..<UInt64(bytes.count))
    #expect(slice.architecture == row.architecture)
    #expect(slice.is64Bit == row.is64Bit)
    #expect(slice.isBigEndian == row.isBigEndian)
    #expect(slice.fileType == row.type)
    #expect(slice.headerSize == (row.is64Bit ? 32 : 28))
    #expect(
      slice.builds.map { "\($0.platform) \($0.minimumVersion) \($0.sdk)" } == [row.build])
    #expect((slice.uuidText != nil) == row.hasUUID)
    #expect(slice.encryption?.cryptID == row.cryptID)
    #expect(slice.installName == row.installName)
    #expect(slice.libraries.map(\.name) == ["/usr/lib/libSystem.B.dylib"] + row.libraries)
    #expect(slice.runPaths == row.runPaths)
    #expect(slice.signature == nil)
    let text = try #require(slice.segment("__TEXT"))
    #expect(text.fileOffset == 0 && text.sections.map(\.name) == ["__text"])
    #expect(slice.segment("__LINKEDIT")?.fileOffset == text.fileSize)
  }

  @Test(arguments: [("no-room", 0), ("room-8", 8), ("room-16", 16)])
  func room(name: String, bytes: UInt64) throws {
    #expect(try MachOFile(SigningSamples.macho(name)).slices[0].loadCommandRoom == bytes)
  }

  @Test(arguments: [
    ("fat", ["armv7", "arm64"], false), ("fat-3", ["armv7", "arm64", "x86_64"], false),
    ("fat-1", ["arm64"], false), ("fat64", ["arm64", "x86_64"], true),
  ]) func fat(name: String, architectures: [String], is64Bit: Bool) throws {
    let bytes = try SigningSamples.macho(name)
    let file = try MachOFile(bytes)
    #expect(file.isFat && file.isFat64 == is64Bit)
    #expect(file.slices.map(\.architecture) == architectures)
    for slice in file.slices {
      let thin = try SigningSamples.macho(slice.architecture)
      #expect(Array(bytes[Int(slice.range.lowerBound)..<Int(slice.range.upperBound)]) == thin)
    }
  }

  @Test func uuidAsText() throws {
    let slice = try MachOFile(SigningSamples.macho("arm64")).slices[0]
    let uuid = try #require(slice.uuid)
    let text = try #require(slice.uuidText)
    #expect(text.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    #expect(text.replacing("-", with: "").lowercased() == hexadecimal(uuid))
  }

  @Test func kindsByTheFirstBytes() throws {
    for name in ["arm64", "armv7", "ppc", "fat", "fat64"] {
      #expect(MachOFile.isMachO(first: try SigningSamples.macho(name).prefix(8)))
    }
    // A Java class file of version 45.3, the oldest there is, and of version 65.
    #expect(!MachOFile.isMachO(first: [0xCA, 0xFE, 0xBA, 0xBE, 0, 3, 0, 45]))
    #expect(!MachOFile.isMachO(first: [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 65]))
    #expect(!MachOFile.isMachO(first: "#!/bin/sh".utf8))
    #expect(!MachOFile.isMachO(first: []))
  }

  /// Every file of the samples, cut at each byte of its headers: an error, or a file that is whole.
  @Test(arguments: ["arm64", "armv7", "ppc", "fat", "fat64"]) func cut(name: String) throws {
    let bytes = try SigningSamples.macho(name)
    for count in 0..<min(bytes.count, 4200) {
      let error = #expect(throws: SigningError.self) { try MachOFile(Array(bytes[..<count])) }
      #expect(
        error.map { [.truncated, .wrongKind].contains($0.code) } ?? false, "cut at \(count)")
    }
  }
}
