import CodeSigning
import Foundation
import PlistKit
import Testing

/// Messages that the `openssl` command made with a certificate of the test's own.
@Suite(.enabled(if: TestAuthority.shared != nil)) struct CMSSignatureTests {
  static let content = Array("what is signed".utf8)
  let authority: TestAuthority

  init() throws { authority = try #require(TestAuthority.shared) }

  struct Row: NamedRow {
    let name: String
    let options: [String]
    var signer = "leaf"
    var isDetached = false
    var digest = "SHA256"
  }

  static let rows = [
    Row(name: "content inside", options: ["-nodetach"]),
    Row(name: "indefinite lengths", options: ["-nodetach", "-stream"]),
    Row(name: "detached", options: [], isDetached: true),
    Row(name: "without signed attributes", options: ["-nodetach", "-noattr"]),
    Row(name: "SHA-1", options: ["-nodetach", "-md", "sha1"], digest: "SHA1"),
    Row(name: "SHA-384", options: ["-nodetach", "-md", "sha384"], digest: "SHA384"),
    Row(name: "an expired certificate", options: ["-nodetach"], signer: "expired"),
    Row(name: "named by key identifier", options: ["-nodetach", "-keyid"]),
  ]

  @Test(arguments: rows) func read(_ row: Row) throws {
    let bytes = try authority.message(Self.content, row.options, signer: row.signer)
    let cms = try CMSSignature(parsing: bytes, content: row.isDetached ? Self.content : nil)
    let signer = try #require(cms.signers.first)
    #expect(cms.isValid && cms.signers.count == 1 && cms.trailingBytes == 0)
    #expect(cms.content == (row.isDetached ? nil : Self.content))
    #expect(signer.digestAlgorithm == row.digest)
    #expect(signer.certificate?.commonName == TestAuthority.identity)
    #expect(signer.certificate?.teamIdentifier == TestAuthority.team)
    #expect(signer.chain.map(\.commonName) == [TestAuthority.identity, "Test CA"])
    #expect(signer.hasWholeChain && signer.codeDirectories.isEmpty)
    let isTimed = !row.options.contains("-noattr")
    #expect((signer.signingTime != nil) == isTimed)
    if isTimed {
      #expect(signer.wasValidAtSigningTime == (row.signer == "leaf"))
    }
  }

  @Test(arguments: rows) func anotherContent(_ row: Row) throws {
    let bytes = try authority.message(Self.content, row.options, signer: row.signer)
    let cms = try CMSSignature(parsing: bytes, content: Self.content + [0])
    let hasAttributes = !row.options.contains("-noattr")
    #expect(cms.signers.map(\.verdict) == [hasAttributes ? .contentDiffers : .signatureWrong])
  }

  @Test func certificateMissing() throws {
    let bytes = try authority.message(Self.content, ["-nodetach", "-nocerts"])
    // `-nocerts` leaves out the signer's alone.
    let cms = try CMSSignature(parsing: bytes)
    #expect(cms.signers.map(\.verdict) == [.certificateMissing])
    #expect(cms.signers.first?.certificate == nil && !cms.isValid)
    #expect(cms.certificates.map(\.commonName) == ["Test CA"])
  }

  @Test func noSigner() throws {
    let cms = try CMSSignature(parsing: DERBytes.message(content: Self.content))
    #expect(cms.signers.isEmpty && !cms.isValid && cms.content == Self.content)
    #expect(cms.certificates.isEmpty)
  }

  @Test func twoSigners() throws {
    let place = authority.at("second.der")
    let first = try authority.message(Self.content, ["-nodetach"])
    try authority.folder.write("first.der", first)
    try authority.openssl([
      "cms", "-resign", "-inform", "DER", "-outform", "DER", "-in", authority.at("first.der"),
      "-nocerts", "-signer", authority.at("ca.pem"), "-inkey", authority.at("ca.key"), "-out",
      place,
    ])
    let cms = try CMSSignature(parsing: try authority.bytes("second.der"))
    #expect(cms.isValid && cms.signers.count == 2)
    #expect(Set(cms.signers.map { $0.certificate?.commonName }).count == 2)
  }

  @Test func bytesBehind() throws {
    let bytes = try authority.message(Self.content, ["-nodetach"])
    let cms = try CMSSignature(parsing: bytes + [0, 0, 0])
    #expect(cms.isValid && cms.trailingBytes == 3)
  }

  @Test func signatureFlipped() throws {
    var bytes = try authority.message(Self.content, ["-nodetach"])
    bytes[bytes.count - 1] ^= 1
    #expect(try CMSSignature(parsing: bytes).signers.map(\.verdict) == [.signatureWrong])
  }

  @Test func unknownDigest() throws {
    var bytes = try authority.message(Self.content, ["-nodetach"])
    let number = Array(DERBytes.sha256.dropFirst(2))
    while let place = bytes.firstRange(of: number) { bytes[place.upperBound - 1] = 0x63 }
    let signer = try #require(try CMSSignature(parsing: bytes).signers.first)
    #expect(signer.verdict == .unsupported)
    #expect(signer.digestAlgorithm == "2.16.840.1.101.3.4.2.99")
  }

  /// Keys of another kind; a signature that is none for them is wrong like any other.
  @Test func ellipticCurve() throws {
    let authority = authority
    try authority.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
      authority.at("ec.key"), "-out", authority.at("ec.pem"), "-subj", "/CN=Curve",
    ])
    let place = try authority.folder.write("ec.in", Self.content)
    try authority.openssl([
      "cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-in", place, "-signer",
      authority.at("ec.pem"), "-inkey", authority.at("ec.key"), "-out", authority.at("ec.der"),
    ])
    var bytes = try authority.bytes("ec.der")
    #expect(try CMSSignature(parsing: bytes).isValid)
    let text = try #require(bytes.lastIndex(of: 0x30))
    bytes[text] = 0x31
    let changed = try CMSSignature(parsing: bytes)
    #expect(!changed.isValid)
  }

  // MARK: Hostile messages

  @Test func truncations() throws {
    let bytes = try authority.message(Self.content, ["-nodetach"])
    for count in 0..<bytes.count {
      let code = signingErrorCode { () throws(SigningError) in
        _ = try CMSSignature(parsing: Array(bytes.prefix(count)))
      }
      #expect(code == (count == 0 ? .wrongKind : .malformed), "\(count) bytes")
    }
  }

  /// No byte can be changed so that another content has a signature that fits.
  @Test func changedBytes() throws {
    let bytes = try authority.message(Self.content, ["-nodetach"])
    for index in bytes.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var changed = bytes
        changed[index] ^= mask
        guard let cms = try? CMSSignature(parsing: changed) else { continue }
        #expect(!cms.isValid || cms.content == Self.content, "byte \(index), mask \(mask)")
      }
    }
  }

  struct Hostile: NamedRow {
    let name: String
    let bytes: @Sendable (TestAuthority) throws -> [UInt8]
    /// Nil where it is read.
    let code: SigningError.Code?
    var limits = SigningLimits.standard
  }

  private static let wide: SigningLimits = {
    var limits = SigningLimits.standard
    limits.cmsBytes = 64 << 20
    return limits
  }()

  static let hostileRows = [
    Hostile(name: "no bytes", bytes: { _ in [] }, code: .wrongKind),
    Hostile(name: "text", bytes: { _ in Array("-----BEGIN CMS-----".utf8) }, code: .wrongKind),
    Hostile(name: "zeros", bytes: { _ in [UInt8](repeating: 0, count: 4096) }, code: .wrongKind),
    Hostile(name: "an empty sequence", bytes: { _ in [0x30, 0] }, code: .malformed),
    Hostile(
      name: "data in place of SignedData",
      bytes: { _ in
        DERBytes.element(0x30, DERBytes.data, DERBytes.element(0xA0, DERBytes.element(0x04, [1])))
      }, code: .wrongKind),
    Hostile(
      name: "a length of 4 GiB", bytes: { _ in [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 6, 9] },
      code: .malformed),
    Hostile(
      name: "a length of 2^64",
      bytes: { _ in [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8) + [6] }, code: .malformed),
    Hostile(
      name: "indefinite lengths 100,000 deep",
      bytes: { _ in (0..<100_000).flatMap { _ in [UInt8](arrayLiteral: 0x30, 0x80) } },
      code: .malformed),
    Hostile(
      name: "a content of strings 1,000 deep",
      bytes: { _ in
        let text = (0..<1000).reduce(DERBytes.element(0x04, [1])) { inner, _ in
          DERBytes.element(0x24, inner)
        }
        let body = DERBytes.element(
          0x30, [2, 1, 1], [0x31, 0],
          DERBytes.element(0x30, DERBytes.data, DERBytes.element(0xA0, text)),
          [0x31, 0])
        return DERBytes.element(0x30, DERBytes.signedData, DERBytes.element(0xA0, body))
      }, code: .malformed),
    Hostile(
      name: "more bytes than are read",
      bytes: { _ in DERBytes.message(content: [UInt8](repeating: 0, count: 9 << 20)) },
      code: .limit),
    Hostile(
      name: "8 MB of content",
      bytes: { _ in DERBytes.message(content: [UInt8](repeating: 0, count: (8 << 20) - 200)) },
      code: nil),
    Hostile(
      name: "10,000 certificates",
      bytes: { authority in
        let one = try authority.certificate("leaf")
        let all = [UInt8]((0..<10_000).map { _ in one }.joined())
        return DERBytes.message(content: [1], certificates: all)
      }, code: .limit, limits: wide),
    Hostile(
      name: "200,000 digest algorithms",
      bytes: { _ in
        let all = [UInt8]((0..<200_000).map { _ in DERBytes.sha256 }.joined())
        return DERBytes.message(content: [1], digests: all)
      }, code: nil),
    Hostile(
      name: "10,000 signers",
      bytes: { _ in
        let signer = DERBytes.element(
          0x30, [2, 1, 3], DERBytes.element(0x80, [1]), DERBytes.sha256, DERBytes.sha256,
          DERBytes.element(0x04, [1]))
        return DERBytes.message(
          content: [1], signers: [UInt8]((0..<10_000).map { _ in signer }.joined()))
      }, code: .limit),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: hostileRows) func hostile(_ row: Hostile) throws {
    let bytes = try row.bytes(authority)
    let code = signingErrorCode { () throws(SigningError) in
      let cms = try CMSSignature(parsing: bytes, limits: row.limits)
      #expect(!cms.isValid)
    }
    #expect(code == row.code)
  }

  /// As many certificates as are read, all of the issuer's name: the chain is found all the same.
  @Test(.timeLimit(.minutes(1))) func manyOfOneName() throws {
    let root = try authority.certificate("ca")
    let leaf = try authority.certificate("leaf")
    let bytes = try authority.message(Self.content, ["-nodetach"])
    let signers = try Self.signers(of: bytes)
    for count in [1000, 1001] {
      let list = [UInt8]((1..<count).map { _ in root }.joined()) + leaf
      let flood = DERBytes.message(
        content: Self.content, digests: DERBytes.sha256, certificates: list, signers: signers)
      let code = signingErrorCode { () throws(SigningError) in
        let cms = try CMSSignature(parsing: flood)
        #expect(cms.isValid && cms.signers.first?.chain.count == 2)
      }
      #expect(code == (count == 1000 ? nil : .limit))
    }
  }

  /// The encoded signers of a message that is DER throughout: the content of its last SET.
  private static func signers(of bytes: [UInt8]) throws -> [UInt8] {
    let start = try #require(
      bytes.indices.reversed().first { index in
        guard bytes[index] == 0x31, index + 4 < bytes.count, bytes[index + 1] == 0x82 else {
          return false
        }
        let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
        return index + 4 + length == bytes.count
      })
    return Array(bytes[(start + 4)...])
  }
}
