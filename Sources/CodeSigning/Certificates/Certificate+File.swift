internal import CLibCrypto

extension Certificate {
  /// Reads a certificate as files hold it: DER, or the first one in PEM text, whatever else stands there.
  /// - Throws: ``SigningError`` with codes `wrongKind` where there is none, `malformed`, `limit`, `crypto`.
  public init(file bytes: [UInt8], limits: SigningLimits = .standard) throws(SigningError) {
    if bytes.first == 0x30 {
      try self.init(der: bytes)
      return
    }
    guard bytes.count <= limits.cmsBytes else {
      throw SigningError(
        .limit, detail: "\(bytes.count) bytes, and at most \(limits.cmsBytes) of PEM are read")
    }
    self = try LibCrypto.clearingErrors { () throws(SigningError) in
      let object = LibCrypto.withBIO(bytes) { PEM_read_bio_X509($0, nil, nil, nil) }
      guard let owner = CryptoObject(object, free: { X509_free($0) }) else {
        throw SigningError(.wrongKind, detail: "there is no certificate in it, neither DER nor PEM")
      }
      return try Certificate(owner.pointer)
    }
  }
}
