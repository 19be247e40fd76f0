internal import CLibCrypto

/// How a CodeDirectory, a CodeResources file or a certificate is hashed.
///
/// Numbers as in `kSecCodeSignatureHash…` of Apple's `CSCommon.h`.
public enum HashAlgorithm: UInt8, Sendable, CaseIterable {
  case sha1 = 1
  case sha256 = 2
  /// SHA-256, of which the first 20 bytes are kept.
  case sha256Truncated = 3
  case sha384 = 4

  /// Bytes of a hash as it is kept.
  public var length: Int {
    switch self {
    case .sha1, .sha256Truncated: 20
    case .sha256: 32
    case .sha384: 48
    }
  }

  /// The name, as `codesign -dvvv` prints it.
  public var name: String {
    switch self {
    case .sha1: "sha1"
    case .sha256: "sha256"
    case .sha256Truncated: "sha256-truncated"
    case .sha384: "sha384"
    }
  }

  /// The algorithm without the cut.
  var whole: HashAlgorithm { self == .sha256Truncated ? .sha256 : self }

  /// The hash of bytes.
  /// - Throws: ``SigningError`` with code `crypto`.
  public func hash(_ bytes: some Sequence<UInt8>) throws(SigningError) -> [UInt8] {
    let hasher = try Hasher(self)
    if bytes.withContiguousStorageIfAvailable({ hasher.update(UnsafeRawBufferPointer($0)) }) == nil
    {
      hasher.update(Array(bytes))
    }
    return try hasher.finish()
  }

  fileprivate var digest: OpaquePointer? {
    switch self {
    case .sha1: EVP_sha1()
    case .sha256, .sha256Truncated: EVP_sha256()
    case .sha384: EVP_sha384()
    }
  }

  /// A hash of bytes that come block by block, through libcrypto. Owns an `EVP_MD_CTX`.
  public final class Hasher {
    private let algorithm: HashAlgorithm
    private let context: OpaquePointer
    private var isIntact: Bool

    /// A hash of nothing yet.
    /// - Throws: ``SigningError`` with code `crypto`.
    public init(_ algorithm: HashAlgorithm) throws(SigningError) {
      guard let context = EVP_MD_CTX_new() else { throw Self.failure }
      self.algorithm = algorithm
      self.context = context
      isIntact = EVP_DigestInit_ex(context, algorithm.digest, nil) == 1
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes in bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) {
      guard bytes.count > 0 else { return }
      isIntact = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 && isIntact
    }

    /// Takes in bytes.
    public func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// Takes in bytes.
    public func update(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { update($0) } }

    /// The hash, of the algorithm's ``HashAlgorithm/length``. The next one begins.
    /// - Throws: ``SigningError`` with code `crypto`.
    public func finish() throws(SigningError) -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      guard EVP_DigestFinal_ex(context, &digest, &length) == 1, isIntact else {
        throw Self.failure
      }
      isIntact = EVP_DigestInit_ex(context, algorithm.digest, nil) == 1
      return Array(digest.prefix(algorithm.length))
    }

    private static var failure: SigningError {
      SigningError(.crypto, detail: "libcrypto cannot make a hash")
    }
  }
}
