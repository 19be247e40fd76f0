import CodeSigning
import Testing

/// A signature of the samples as bytes, and places in it.
struct SignatureSample {
  let bytes: [UInt8]
  let signature: CodeSignature

  init(_ name: String) throws {
    let file = try SigningSamples.macho(name)
    let slice = try MachOFile(file).slices[0]
    let range = try #require(slice.signature?.range)
    bytes = Array(file[Int(range.lowerBound)..<Int(range.upperBound)])
    signature = try CodeSignature(parsing: bytes)
  }

  /// Where a blob begins.
  func start(_ slot: CodeSignatureSlot) -> Int { signature.blob(slot)?.range.lowerBound ?? 0 }

  /// Where the row of a blob in the index begins.
  func row(_ index: Int) -> Int { 12 + 8 * index }
}

/// A good signature with one thing wrong.
struct SignatureMutation: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let sample: String
  let code: SigningError.Code
  let change: @Sendable (SignatureSample) -> [UInt8]

  init(
    _ name: String, of sample: String = "arm64 v20600", _ code: SigningError.Code,
    _ change: @escaping @Sendable (SignatureSample) -> [UInt8]
  ) {
    testDescription = name
    self.sample = sample
    self.code = code
    self.change = change
  }

  /// A field of the CodeDirectory, at a place of its blob.
  static func field(
    _ name: String, of sample: String = "arm64 v20600", _ code: SigningError.Code, at place: Int,
    _ value: UInt32
  ) -> SignatureMutation {
    SignatureMutation(name, of: sample, code) {
      $0.bytes.setting(big: value, at: $0.start(.codeDirectory) + place)
    }
  }
}

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct CodeSignatureTests {
  static let superBlob: [SignatureMutation] = [
    .init("another magic", .wrongKind) { $0.bytes.setting(big: 0xFADE_0CC1, at: 0) },
    .init("longer than its place", .truncated) {
      $0.bytes.setting(big: UInt32($0.bytes.count + 1), at: 4)
    },
    .init("of 4 GiB", .truncated) { $0.bytes.setting(big: .max, at: 4) },
    .init("one byte shorter than its blobs", .truncated) {
      $0.bytes.setting(big: UInt32($0.signature.length - 1), at: 4)
    },
    .init("of 11 bytes", .truncated) { $0.bytes.setting(big: 11, at: 4) },
    .init("of 12 bytes", .truncated) { $0.bytes.setting(big: 12, at: 4) },
    .init("of no bytes", .truncated) { $0.bytes.setting(big: 0, at: 4) },
    .init("no blob", .malformed) { $0.bytes.setting(big: 0, at: 8) },
    .init("one blob more", .malformed) {
      $0.bytes.setting(big: UInt32($0.signature.blobs.count + 1), at: 8)
    },
    .init("256 blobs", .truncated) { $0.bytes.setting(big: 256, at: 8) },
    .init("257 blobs", .limit) { $0.bytes.setting(big: 257, at: 8) },
    .init("4 billion blobs", .limit) { $0.bytes.setting(big: .max, at: 8) },
    .init("no CodeDirectory", .malformed) { $0.bytes.setting(big: 12, at: $0.row(0)) },
    .init("an alternate CodeDirectory alone", .malformed) {
      $0.bytes.setting(big: 0x1000, at: $0.row(0))
    },
    .init("one slot twice", .malformed) { $0.bytes.setting(big: 5, at: $0.row(1)) },
    .init("a blob in the index", .malformed) { $0.bytes.setting(big: 8, at: $0.row(1) + 4) },
    .init("a blob at 0", .malformed) { $0.bytes.setting(big: 0, at: $0.row(1) + 4) },
    .init("a blob behind the end", .truncated) {
      $0.bytes.setting(big: UInt32($0.signature.length), at: $0.row(1) + 4)
    },
    .init("a blob seven bytes before the end", .truncated) {
      $0.bytes.setting(big: UInt32($0.signature.length - 7), at: $0.row(1) + 4)
    },
    .init("a blob at 4 GiB", .truncated) { $0.bytes.setting(big: .max, at: $0.row(1) + 4) },
    .init("two blobs at one place", .malformed) {
      $0.bytes.setting(big: UInt32($0.start(.codeDirectory)), at: $0.row(1) + 4)
    },
    .init("a blob of 7 bytes", .malformed) {
      $0.bytes.setting(big: 7, at: $0.start(.entitlements) + 4)
    },
    .init("a blob that reaches into the next", .malformed) {
      let length = $0.signature.blob(.entitlements)?.bytes.count ?? 0
      return $0.bytes.setting(big: UInt32(length + 1), at: $0.start(.entitlements) + 4)
    },
    .init("a blob of 4 GiB", .truncated) {
      $0.bytes.setting(big: .max, at: $0.start(.cms) + 4)
    },
  ]

  static let directory: [SignatureMutation] = [
    .field("another magic", .wrongKind, at: 0, 0xFADE_0C01),
    .init("shorter than its fields", .truncated) {
      $0.bytes.setting(big: 100, at: $0.start(.codeDirectory) + 4)
    },
    .field("version 0x20000", .unsupported, at: 8, 0x20000),
    .field("version 0x30000", .unsupported, at: 8, 0x30000),
    .field("hashes behind the end", .truncated, at: 16, 0xFFFF_FFF0),
    .field("hashes in the fields", .malformed, at: 16, 100),
    .field("the identifier in the fields", .malformed, at: 20, 0),
    .field("the identifier on the last field", .malformed, at: 20, 107),
    .field("the identifier behind the end", .truncated, at: 20, .max),
    .field("too many special slots", .malformed, at: 24, 9),
    .field("4 billion special slots", .malformed, at: 24, .max),
    .field("too many code slots", .truncated, at: 28, 1000),
    .field("4 billion code slots", .truncated, at: 28, .max),
    .field("hashes of 20 bytes that are SHA-256", .malformed, at: 36, 0x1402_000C),
    .field("hashes of no bytes", .malformed, at: 36, 0x0002_000C),
    .field("hash type 0", .unsupported, at: 36, 0x2000_000C),
    .field("hash type 5", .unsupported, at: 36, 0x2005_000C),
    .field("pages of 2 bytes", .unsupported, at: 36, 0x2002_0001),
    .field("pages of 2^21 bytes", .unsupported, at: 36, 0x2002_0015),
    .field("pages of 2^255 bytes", .unsupported, at: 36, 0x2002_00FF),
    .field("a scatter table in the fields", .malformed, at: 44, 4),
    .field("a scatter table behind the end", .truncated, at: 44, .max),
    .field("the team in the fields", .malformed, at: 48, 20),
    .field("the team behind the end", .truncated, at: 48, .max),
    .field("hashes before encryption in the fields", .malformed, at: 92, 8),
    .field("hashes before encryption behind the end", .truncated, at: 92, .max),
    .field("linkage behind the end", of: "arm64 linkage", .truncated, at: 104, .max),
    .field("linkage in the fields", of: "arm64 linkage", .malformed, at: 100, 4),
    .init("a scatter table with too many pages", of: "arm64 scatter", .malformed) {
      let directory = $0.start(.codeDirectory)
      let table = directory + Int($0.bytes.big(at: directory + 44))
      return $0.bytes.setting(big: 1000, at: table)
    },
    .init("a scatter table without an end", of: "arm64 scatter", .malformed) {
      let directory = $0.start(.codeDirectory)
      let table = directory + Int($0.bytes.big(at: directory + 44))
      return $0.bytes.setting(big: 1, at: table + 48).setting(big: 1000, at: table + 52)
    },
    .init("a scatter table out of order", of: "arm64 scatter", .malformed) {
      let directory = $0.start(.codeDirectory)
      let table = directory + Int($0.bytes.big(at: directory + 44))
      return $0.bytes.setting(big: 0, at: table + 28)
    },
    .init("an identifier without an end", .truncated) {
      var bytes = $0.bytes
      let directory = $0.signature.blob(.codeDirectory)?.range ?? 0..<0
      for place in directory.dropFirst(108) where bytes[place] == 0 { bytes[place] = 1 }
      return bytes
    },
  ]

  @Test(arguments: superBlob + directory) func mutation(row: SignatureMutation) throws {
    let sample = try SignatureSample(row.sample)
    let changed = row.change(sample)
    #expect(changed != sample.bytes)
    let error = #expect(throws: SigningError.self) { try CodeSignature(parsing: changed) }
    #expect(error?.code == row.code, "\(error.map(String.init(describing:)) ?? "none")")
    #expect(error?.detail.hasSuffix(".") == false)
  }

  @Test(arguments: ["arm64 v20600", "arm64 scatter", "arm64 all-hashes"])
  func cut(name: String) throws {
    let sample = try SignatureSample(name)
    for count in 0..<sample.signature.length {
      let error = #expect(throws: SigningError.self) {
        try CodeSignature(parsing: Array(sample.bytes[..<count]))
      }
      #expect(error?.code == .truncated)
    }
    _ = try CodeSignature(parsing: Array(sample.bytes[..<sample.signature.length]))
  }

  @Test(
    arguments: [
      0x20001, 0x20100, 0x20200, 0x20300, 0x20400, 0x20500, 0x20600,
    ] as [UInt32]) func fields(version: UInt32) throws
  {
    let signature = try SignatureSample("arm64 v" + String(version, radix: 16)).signature
    let directory = try #require(signature.codeDirectories.first)
    #expect(directory.version == version)
    #expect(directory.identifier == "com.example.demo")
    #expect(directory.teamIdentifier == (version >= 0x20200 ? "ABCDE12345" : nil))
    #expect((directory.execSegment?.flags == 1) == (version >= 0x20400))
    #expect(directory.flags == .adHoc)
    #expect(directory.scatter == nil && directory.linkage == nil && directory.runtime == nil)
    #expect(directory.pageSize == 4096 && directory.pageCount == directory.codeSlotCount)
    #expect(signature.isAdHoc && signature.cms == nil)
    #expect(signature.entitlements?.starts(with: "<?xml".utf8) == true)
    #expect(signature.derEntitlements?.first == 0x70)
  }

  @Test func laterFields() throws {
    let runtime = try SignatureSample("arm64 runtime").signature.codeDirectories[0]
    #expect(runtime.runtime?.description == "17.0" && runtime.flags == [.adHoc, .runtime])
    let linkage = try SignatureSample("arm64 linkage").signature.codeDirectories[0]
    let range = try #require(linkage.linkage?.range)
    #expect(Array(linkage.bytes[range]) == Array("linkage hash".utf8))
    #expect(linkage.linkage?.applicationType == 1 && linkage.linkage?.applicationSubtype == 2)
    let long = try SignatureSample("arm64 long-limit").signature.codeDirectories[0]
    let short = try SignatureSample("arm64 v20400").signature.codeDirectories[0]
    #expect(long.codeLimit == short.codeLimit)
    let before = try SignatureSample("arm64 pre-encrypt").signature.codeDirectories[0]
    #expect(before.preEncryptHashOffset != nil)
    let whole = try SignatureSample("arm64 one-page").signature.codeDirectories[0]
    #expect(whole.pageSize == nil && whole.pageCount == 1)
  }

  @Test func scatteredPages() throws {
    let directory = try SignatureSample("arm64 scatter").signature.codeDirectories[0]
    let runs = try #require(directory.scatter)
    #expect(runs.count == 2 && runs[1].firstSlot == runs[0].pageCount)
    for page in 0..<directory.codeSlotCount { #expect(directory.codeSlot(ofPage: page) == page) }
    #expect(directory.codeSlot(ofPage: directory.codeSlotCount) == nil)
    #expect(directory.codeSlot(ofPage: -1) == nil)
  }

  @Test func theBestOfSeveral() throws {
    let signature = try SignatureSample("arm64 all-hashes").signature
    #expect(
      signature.codeDirectories.map(\.hashAlgorithm)
        == [.sha1, .sha256, .sha256Truncated, .sha384])
    #expect(signature.bestCodeDirectory?.hashAlgorithm == .sha384)
  }

  @Test func limits() throws {
    let sample = try SignatureSample("arm64 v20600")
    var limits = SigningLimits.standard
    limits.blobs = sample.signature.blobs.count
    limits.signatureBytes = sample.bytes.count
    _ = try CodeSignature(parsing: sample.bytes, limits: limits)
    for change in [\SigningLimits.blobs, \.signatureBytes] {
      var narrower = limits
      narrower[keyPath: change] -= 1
      let error = #expect(throws: SigningError.self) {
        try CodeSignature(parsing: sample.bytes, limits: narrower)
      }
      #expect(error?.code == .limit)
    }
  }
}

/// A signed executable that a CodeDirectory does not seal whole.
struct ProblemRow: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// A part of the sentence.
  let sentence: String
  /// The executable, from a good one, its slice, and where its CodeDirectory begins.
  let change: @Sendable ([UInt8], MachOSlice, Int) -> [UInt8]
}

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct ExecutableProblemTests {
  static let rows = [
    ProblemRow(
      testDescription: "a byte behind the signature", sentence: "1 bytes lie behind the signature",
      change: { bytes, _, _ in bytes + [0] }),
    ProblemRow(
      testDescription: "a code limit before the signature",
      sentence: "16 bytes before the signature are not sealed",
      change: { bytes, slice, directory in
        let limit = UInt32(slice.signature?.range.lowerBound ?? 0)
        return bytes.setting(big: limit - 16, at: directory + 32)
      }),
    ProblemRow(
      testDescription: "a code limit in the signature",
      sentence: "the signature begins before",
      change: { bytes, slice, directory in
        let limit = UInt32(slice.signature?.range.lowerBound ?? 0)
        return bytes.setting(big: limit + 16, at: directory + 32)
      }),
    ProblemRow(
      testDescription: "a code limit behind the end", sentence: "the signature begins before",
      change: { bytes, _, directory in bytes.setting(big: .max, at: directory + 32) }),
    ProblemRow(
      testDescription: "a 64-bit code limit behind all", sentence: "the signature begins before",
      change: { bytes, _, directory in
        bytes.setting(UInt64.max, at: directory + 56, isBigEndian: true)
      }),
    ProblemRow(
      testDescription: "a code limit of 0", sentence: "bytes before the signature are not sealed",
      change: { bytes, _, directory in bytes.setting(big: 0, at: directory + 32) }),
    ProblemRow(
      testDescription: "no SuperBlob", sentence: "the signature cannot be read",
      change: { bytes, slice, _ in
        bytes.setting(big: 0, at: Int(slice.signature?.range.lowerBound ?? 0))
      }),
  ]

  @Test(arguments: rows) func problem(row: ProblemRow) throws {
    let bytes = try SigningSamples.macho("arm64 v20400")
    let slice = try MachOFile(bytes).slices[0]
    let signature = try #require(try slice.codeSignature(of: bytes))
    let place =
      Int(slice.signature?.range.lowerBound ?? 0)
      + (signature.blob(.codeDirectory)?.range.lowerBound ?? 0)
    let seal = try ExecutableSealTests.seal(row.change(bytes, slice, place))
    let problems = seal.slices[0].problems + seal.slices[0].directories.flatMap(\.problems)
    #expect(problems.contains { $0.contains(row.sentence) }, "\(problems)")
    #expect(seal.isSigned && !seal.isIntact)
  }

  /// A CodeDirectory with a hash less than there are pages.
  @Test func pagesWithoutAHash() throws {
    let bytes = try SigningSamples.macho("arm64 v20400")
    let slice = try MachOFile(bytes).slices[0]
    let signature = try #require(try slice.codeSignature(of: bytes))
    let place =
      Int(slice.signature?.range.lowerBound ?? 0)
      + (signature.blob(.codeDirectory)?.range.lowerBound ?? 0)
    let count = signature.codeDirectories[0].codeSlotCount
    let seal = try ExecutableSealTests.seal(
      bytes.setting(big: UInt32(count - 1), at: place + 28))
    let pages = seal.slices[0].directories[0].pages
    #expect(pages.unhashed == 1 && pages.checked == count - 1 && pages.wrongCount == 0)
    #expect(!seal.isIntact)
  }
}
