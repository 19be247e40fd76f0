import CodeSigning
import Testing

@Suite struct HashAlgorithmTests {
  /// The hashes of "abc" in FIPS 180-4's examples.
  static let hashes: [(algorithm: HashAlgorithm, hexadecimal: String)] = [
    (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (.sha256Truncated, "ba7816bf8f01cfea414140de5dae2223b00361a3"),
    (
      .sha384,
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
  ]

  @Test(arguments: hashes) func hash(algorithm: HashAlgorithm, hexadecimal: String) throws {
    let hash = try algorithm.hash("abc".utf8)
    #expect(hash.count == algorithm.length)
    #expect(hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hexadecimal)
  }

  @Test func blocksAndTheNextHash() throws {
    let hasher = try HashAlgorithm.Hasher(.sha256)
    hasher.update(Array("a".utf8))
    hasher.update(Array("xbcx".utf8)[1...2])
    #expect(try hasher.finish() == HashAlgorithm.sha256.hash("abc".utf8))
    hasher.update(Array("abc".utf8))
    #expect(try hasher.finish() == HashAlgorithm.sha256.hash("abc".utf8))
  }
}
