internal import CLibCrypto
public import PlistKit

/// A CMS SignedData (RFC 5652): a profile with its content inside, or the signature of code, whose
/// content, the primary CodeDirectory, lies elsewhere.
///
/// What is told: whether a signature fits the content, who signed, which certificates are contained.
/// What is not told: whether anyone should trust it. No trust store, no revocation list and no network
/// is asked, and certificates that have expired are read as any other. BER with indefinite lengths, as
/// Apple writes it, is read too.
public struct CMSSignature: Sendable, Equatable {
  /// The content that it carries, nil for a detached one.
  public let content: [UInt8]?
  /// The certificates that it carries, in their order.
  public let certificates: [Certificate]
  /// Who signed. None where it only wraps its content: it is then unsigned.
  public let signers: [Signer]
  /// How many bytes lie behind its end; they count for nothing.
  public let trailingBytes: Int

  /// Whether there is at least one signer and the signatures of all fit the content.
  public var isValid: Bool { !signers.isEmpty && signers.allSatisfy { $0.verdict == .valid } }

  /// Whether a signature fits.
  public enum Verdict: String, Sendable, Equatable {
    /// The signature is of this content.
    case valid
    /// The signature was made of another content.
    case contentDiffers = "content-differs"
    /// The signature does not fit what is signed, or the signer's key.
    case signatureWrong = "signature-wrong"
    /// The signer's certificate is not contained.
    case certificateMissing = "certificate-missing"
    /// No content was given, nor is one inside.
    case contentMissing = "content-missing"
    /// An algorithm that libcrypto does not have.
    case unsupported

    /// The verdict in words, without a full stop.
    public var sentence: String {
      switch self {
      case .valid: "the signature fits"
      case .contentDiffers: "the content is not what was signed"
      case .signatureWrong: "the signature does not fit the signer's key"
      case .certificateMissing: "the signer's certificate is not contained"
      case .contentMissing: "there is no content to compare with"
      case .unsupported: "it uses an algorithm that libcrypto does not have"
      }
    }
  }

  /// One who signed.
  public struct Signer: Sendable, Equatable {
    /// Whether the signature fits the content.
    public let verdict: Verdict
    /// The certificate, nil where it is not contained.
    public let certificate: Certificate?
    /// The certificates from the signer's up to the last whose issuer is contained; each is signed by the
    /// next one's key.
    public let chain: [Certificate]
    /// What the content is hashed with: `SHA256`; a dotted number that libcrypto has no name for.
    public let digestAlgorithm: String
    /// When it says it was signed, nil where it does not.
    public let signingTime: PlistDate?
    /// What it says of code directories.
    public let codeDirectories: CodeDirectoryHashes

    /// Whether the chain ends in a certificate that signed itself.
    public var hasWholeChain: Bool { chain.last?.isSelfIssued ?? false }
    /// Whether the certificate was valid when it says it signed; nil where either is not known.
    public var wasValidAtSigningTime: Bool? {
      guard let certificate, let signingTime else { return nil }
      return certificate.isValid(at: signingTime)
    }
  }

  /// Reads a signature, and compares it with a content.
  ///
  /// The bytes are DER or BER; what lies behind the end is counted in ``trailingBytes``. The content is
  /// what was signed, nil for what is inside; where one is given it counts, even if another is inside.
  /// Bounds are ``SigningLimits/cmsBytes``, ``SigningLimits/certificates`` and ``SigningLimits/signers``.
  /// - Throws: ``SigningError`` with codes `wrongKind` where it is no SignedData, `malformed`, `limit`,
  ///   `crypto`.
  public init(
    parsing bytes: [UInt8], content given: [UInt8]? = nil, limits: SigningLimits = .standard
  ) throws(SigningError) {
    self = try LibCrypto.clearingErrors { () throws(SigningError) in
      let reader = try CMSReader(bytes, limits: limits)
      return try CMSSignature(reader, content: given, limits: limits)
    }
  }

  private init(
    _ reader: borrowing CMSReader, content given: [UInt8]?, limits: SigningLimits
  ) throws(SigningError) {
    content = reader.content
    trailingBytes = reader.trailingBytes
    let pool = try reader.certificates(limit: limits.certificates)
    certificates = pool.certificates
    signers = try reader.signers(of: given ?? content, pool: pool, limits: limits)
  }
}
