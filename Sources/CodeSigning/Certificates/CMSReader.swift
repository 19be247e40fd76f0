internal import CLibCrypto
internal import PlistKit

/// Owns a `CMS_ContentInfo` of kind SignedData, and reads what is in it.
struct CMSReader: ~Copyable {
  private let object: CryptoObject
  let trailingBytes: Int

  /// - Throws: ``SigningError`` with codes `wrongKind`, `malformed`, `limit`.
  init(_ bytes: [UInt8], limits: SigningLimits) throws(SigningError) {
    guard bytes.count <= limits.cmsBytes else {
      throw SigningError(
        .limit,
        detail: "a CMS signature of \(bytes.count) bytes, at most \(limits.cmsBytes) are read")
    }
    // A SEQUENCE; anything else need not be tried.
    guard bytes.first == 0x30 else {
      throw SigningError(.wrongKind, offset: 0, detail: "no CMS signature begins there")
    }
    var rest = 0
    let parsed = bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var place = buffer.baseAddress
      let parsed = d2i_CMS_ContentInfo(nil, &place, buffer.count)
      if let place, let base = buffer.baseAddress { rest = buffer.count - (place - base) }
      return parsed
    }
    guard let object = CryptoObject(parsed, free: { CMS_ContentInfo_free($0) }) else {
      let reason = LibCrypto.lastReason.map { " (\($0))" } ?? ""
      throw SigningError(
        .malformed, detail: "\(bytes.count) bytes that cannot be read as a CMS signature\(reason)")
    }
    guard OBJ_obj2nid(CMS_get0_type(object.pointer)) == NID_pkcs7_signed else {
      throw SigningError(.wrongKind, detail: "the CMS structure is no SignedData")
    }
    self.object = object
    trailingBytes = rest
  }

  /// The content inside, nil for a detached signature.
  var content: [UInt8]? {
    guard let place = CMS_get0_content(object.pointer), let text = place.pointee else { return nil }
    return LibCrypto.bytes(of: text)
  }

  /// Owns the certificates that are contained, in their order.
  struct Pool: ~Copyable {
    fileprivate let stack: CryptoObject
    let certificates: [Certificate]

    fileprivate func object(_ index: Int) -> OpaquePointer? {
      guard let number = Int32(exactly: index) else { return nil }
      return OPENSSL_sk_value(stack.pointer, number).map { OpaquePointer($0) }
    }
  }

  func certificates(limit: Int) throws(SigningError) -> Pool {
    // A message without certificates has no list of them.
    let list = CMS_get1_certs(object.pointer) ?? OPENSSL_sk_new_null()
    let stack = CryptoObject(list) { list in
      OPENSSL_sk_pop_free(list) { X509_free(OpaquePointer($0)) }
    }
    guard let stack else { throw SigningError(.crypto, detail: "libcrypto has no memory left") }
    let count = Int(OPENSSL_sk_num(stack.pointer))
    guard count <= limit else {
      throw SigningError(.limit, detail: "\(count) certificates, at most \(limit) are read")
    }
    var certificates: [Certificate] = []
    for index in 0..<Int32(count) {
      guard let object = OPENSSL_sk_value(stack.pointer, index) else { continue }
      certificates.append(try Certificate(OpaquePointer(object)))
    }
    return Pool(stack: stack, certificates: certificates)
  }

  func signers(
    of content: [UInt8]?, pool: borrowing Pool, limits: SigningLimits
  ) throws(SigningError) -> [CMSSignature.Signer] {
    guard let stack = CMS_get0_SignerInfos(object.pointer) else { return [] }
    let count = OPENSSL_sk_num(stack)
    guard count <= limits.signers else {
      throw SigningError(.limit, detail: "\(count) signers, at most \(limits.signers) are read")
    }
    var signers: [CMSSignature.Signer] = []
    for index in 0..<max(0, count) {
      guard let info = OPENSSL_sk_value(stack, index) else { continue }
      signers.append(
        SignerReader(OpaquePointer(info), limits: limits).signer(of: content, pool: pool))
    }
    return signers
  }
}

/// Reads one `CMS_SignerInfo`, which the message owns.
private struct SignerReader {
  private let info: OpaquePointer
  private let limits: SigningLimits

  init(_ info: OpaquePointer, limits: SigningLimits) {
    self.info = info
    self.limits = limits
  }

  func signer(of content: [UInt8]?, pool: borrowing CMSReader.Pool) -> CMSSignature.Signer {
    let index = pool.certificates.indices.first { index in
      guard let object = pool.object(index) else { return false }
      return CMS_SignerInfo_cert_cmp(info, object) == 0
    }
    return CMSSignature.Signer(
      verdict: verdict(content, signer: index.flatMap { pool.object($0) }),
      certificate: index.map { pool.certificates[$0] },
      chain: index.map { chain(from: $0, pool) } ?? [],
      digestAlgorithm: digest.name,
      signingTime: signingTime,
      codeDirectories: CodeDirectoryHashes(
        lists: values(of: CodeDirectoryHashes.listAttribute, type: V_ASN1_OCTET_STRING),
        sets: values(of: CodeDirectoryHashes.setAttribute, type: V_ASN1_SEQUENCE), limits: limits))
  }

  private func verdict(_ content: [UInt8]?, signer: OpaquePointer?) -> CMSSignature.Verdict {
    guard let signer else { return .certificateMissing }
    guard let method = digest.method, X509_get0_pubkey(signer) != nil else { return .unsupported }
    CMS_SignerInfo_set1_signer_cert(info, signer)
    let hasAttributes = CMS_signed_get_attr_count(info) >= 0
    if hasAttributes, CMS_SignerInfo_verify(info) != 1 { return .signatureWrong }
    guard let content else { return .contentMissing }
    guard let chain = HashedContent(content, method) else { return .unsupported }
    if CMS_SignerInfo_verify_content(info, chain.bio) == 1 { return .valid }
    return hasAttributes ? .contentDiffers : .signatureWrong
  }

  /// What the content is hashed with, nil where libcrypto does not have it.
  private var digest: (name: String, method: OpaquePointer?) {
    var algorithm: UnsafeMutablePointer<X509_ALGOR>?
    CMS_SignerInfo_get0_algs(info, nil, nil, &algorithm, nil)
    guard let algorithm else { return ("", nil) }
    var object: OpaquePointer?
    X509_ALGOR_get0(&object, nil, nil, algorithm)
    guard let object else { return ("", nil) }
    let number = OBJ_obj2nid(object)
    guard number != NID_undef, let name = OBJ_nid2sn(number) else {
      return (LibCrypto.dotted(object), nil)
    }
    return (String(cString: name), EVP_get_digestbyname(name))
  }

  /// `signingTime` (RFC 5652, section 11.3).
  private var signingTime: PlistDate? {
    let object = OBJ_nid2obj(NID_pkcs9_signingTime)
    for type in [V_ASN1_UTCTIME, V_ASN1_GENERALIZEDTIME] {
      if let time = CMS_signed_get0_data_by_OBJ(info, object, -3, type) {
        return LibCrypto.date(of: time.assumingMemoryBound(to: ASN1_TIME.self))
      }
    }
    return nil
  }

  /// The bytes of a signed attribute's values of a type; of a sequence its whole encoding.
  private func values(of attribute: String, type: Int32) -> [[UInt8]] {
    guard let object = OBJ_txt2obj(attribute, 1) else { return [] }
    defer { ASN1_OBJECT_free(object) }
    let place = CMS_signed_get_attr_by_OBJ(info, object, -1)
    guard place >= 0, let found = CMS_signed_get_attr(info, place) else { return [] }
    let count = min(X509_ATTRIBUTE_count(found), Int32(clamping: limits.blobs))
    return (0..<max(0, count)).compactMap { index in
      guard let value = X509_ATTRIBUTE_get0_data(found, index, type, nil) else { return nil }
      return LibCrypto.bytes(of: UnsafePointer(value.assumingMemoryBound(to: ASN1_STRING.self)))
    }
  }

  /// The certificates from one up, each signed by the next.
  private func chain(from start: Int, _ pool: borrowing CMSReader.Pool) -> [Certificate] {
    var places = [start]
    // A hostile file can hold many certificates of one name: each costs a signature check.
    var checks = 64
    while places.count < limits.signers, let last = places.last,
      !pool.certificates[last].isSelfIssued
    {
      let issuer = pool.certificates.indices.first { index in
        guard checks > 0, !places.contains(index),
          pool.certificates[index].subject == pool.certificates[last].issuer,
          let child = pool.object(last), let parent = pool.object(index)
        else { return false }
        checks -= 1
        return X509_verify(child, X509_get0_pubkey(parent)) == 1
      }
      guard let issuer else { break }
      places.append(issuer)
    }
    return places.map { pool.certificates[$0] }
  }
}

/// A content that ran through a digest, in the form in which libcrypto wants it: a chain of a digest and
/// a sink. `CMS_dataInit` would add one digest for each that the message declares, however many.
private struct HashedContent: ~Copyable {
  private let chain: CryptoObject

  var bio: OpaquePointer { chain.pointer }

  init?(_ content: [UInt8], _ method: OpaquePointer) {
    let filter = CryptoObject(BIO_new(BIO_f_md())) { BIO_free_all($0) }
    guard let filter, let sink = BIO_new(BIO_s_null()) else { return nil }
    BIO_push(filter.pointer, sink)
    guard
      BIO_ctrl(filter.pointer, Int32(BIO_C_SET_MD), 0, UnsafeMutableRawPointer(method)) == 1,
      Self.write(content, to: filter.pointer)
    else { return nil }
    chain = filter
  }

  private static func write(_ content: [UInt8], to bio: OpaquePointer) -> Bool {
    guard !content.isEmpty else { return true }
    return content.withUnsafeBytes { bytes in
      var written = 0
      return BIO_write_ex(bio, bytes.baseAddress, bytes.count, &written) == 1
        && written == bytes.count
    }
  }
}
