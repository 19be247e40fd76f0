internal import CLibCrypto
public import PlistKit

/// An X.509 certificate (RFC 5280), read and never judged: no trust store is asked and no network.
///
/// Algorithms that are no longer trusted, such as Apple's SHA-1 with RSA, are read as any other.
public struct Certificate: Sendable, Equatable {
  /// The encoded certificate.
  public let der: [UInt8]
  /// Whose it is.
  public let subject: DistinguishedName
  /// Who signed it.
  public let issuer: DistinguishedName
  /// The serial number in upper-case hexadecimal digits.
  public let serialNumber: String
  /// The first moment at which it is valid, nil where that cannot be read.
  public let notBefore: PlistDate?
  /// The last moment at which it is valid, nil where that cannot be read.
  public let notAfter: PlistDate?
  /// How it is signed: `sha256WithRSAEncryption`, or a dotted number that libcrypto has no name for.
  public let signatureAlgorithm: String
  /// The SHA-1 hash of ``der``: 20 bytes, what tools name an identity by.
  public let sha1: [UInt8]
  /// The SHA-256 hash of ``der``: 32 bytes.
  public let sha256: [UInt8]

  /// Whether subject and issuer are one name, as a root's are.
  public var isSelfIssued: Bool { subject == issuer }
  /// The identity as tools show it: `Apple Development: Name (ID)`.
  public var commonName: String? { subject.commonName }
  /// The team's identifier, which developer certificates have as `OU`.
  public var teamIdentifier: String? { subject.organizationalUnit }

  /// Whether a moment lies in the time of validity; false where that cannot be read.
  public func isValid(at date: PlistDate) -> Bool {
    guard let notBefore, let notAfter else { return false }
    return notBefore.secondsSince2001 <= date.secondsSince2001
      && date.secondsSince2001 <= notAfter.secondsSince2001
  }

  /// Reads a certificate.
  /// - Throws: ``SigningError`` with codes `malformed` where the bytes are none or go on behind it,
  ///   `crypto`.
  public init(der: [UInt8]) throws(SigningError) {
    self = try LibCrypto.clearingErrors { () throws(SigningError) in
      let object = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
        var place = buffer.baseAddress
        guard let object = d2i_X509(nil, &place, buffer.count) else { return nil }
        guard let start = buffer.baseAddress, place == start + buffer.count else {
          X509_free(object)
          return nil
        }
        return object
      }
      guard let owner = CryptoObject(object, free: { X509_free($0) }) else {
        throw SigningError(.malformed, detail: "\(der.count) bytes that are no X.509 certificate")
      }
      return try Certificate(owner.pointer)
    }
  }

  /// Reads a certificate that libcrypto keeps.
  init(_ object: OpaquePointer) throws(SigningError) {
    var start: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509(object, &start)
    guard count > 0, let start else {
      throw SigningError(.crypto, detail: "libcrypto cannot encode a certificate")
    }
    defer { CRYPTO_free(start, nil, 0) }
    der = Array(UnsafeBufferPointer(start: start, count: Int(count)))
    subject = DistinguishedName(X509_get_subject_name(object))
    issuer = DistinguishedName(X509_get_issuer_name(object))
    serialNumber = LibCrypto.bytes(of: X509_get0_serialNumber(object)).hexadecimal.uppercased()
    notBefore = LibCrypto.date(of: X509_get0_notBefore(object))
    notAfter = LibCrypto.date(of: X509_get0_notAfter(object))
    let number = X509_get_signature_nid(object)
    signatureAlgorithm =
      OBJ_nid2ln(number).map { String(cString: $0) } ?? String(number)
    sha1 = try HashAlgorithm.sha1.hash(der)
    sha256 = try HashAlgorithm.sha256.hash(der)
  }
}
