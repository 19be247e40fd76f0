internal import CLibCrypto

/// A private key with its certificate and the chain behind that, in whatever form a signer takes.
///
/// Owns libcrypto's objects. PKCS #12: RFC 7292; PEM: RFC 7468; PKCS #8: RFC 5208.
package final class SigningKey {
  private let key: OpaquePointer
  private let certificate: OpaquePointer
  /// The certificates of the chain; each is owned.
  private let chain: [OpaquePointer]

  private init(key: OpaquePointer, certificate: OpaquePointer, chain: [OpaquePointer]) {
    self.key = key
    self.certificate = certificate
    self.chain = chain
  }

  deinit {
    EVP_PKEY_free(key)
    X509_free(certificate)
    for each in chain { X509_free(each) }
  }

  /// From a PKCS #12 file.
  /// - Throws: ``SigningError`` with codes `wrongKind`, and `missing` where the password is wrong or one
  ///   of key and certificate is not in it.
  package convenience init(p12 bytes: [UInt8], password: Secret?) throws(SigningError) {
    try SigningKeyReading.loadProviders()
    let parsed = bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
      var next = buffer.baseAddress
      return d2i_PKCS12(nil, &next, buffer.count)
    }
    guard let parsed else { throw SigningError(.wrongKind, detail: "it is no PKCS #12 file") }
    defer { PKCS12_free(parsed) }
    let text = password?.text ?? ""
    guard PKCS12_verify_mac(parsed, text, -1) == 1 || PKCS12_mac_present(parsed) == 0 else {
      ERR_clear_error()
      throw SigningError(
        .missing,
        detail: password == nil ? "it has a password" : "the password is not that of the file",
        hint: "--password-file FILE or --password-env NAME")
    }
    var (key, certificate, others): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
    let isParsed = PKCS12_parse(parsed, text, &key, &certificate, &others) == 1
    ERR_clear_error()
    let chain = SigningKeyReading.taking(others)
    guard isParsed, let key, let certificate else {
      EVP_PKEY_free(key)
      X509_free(certificate)
      for each in chain { X509_free(each) }
      throw SigningError(
        .missing,
        detail: isParsed
          ? "there is no key with a certificate in it"
          : "it is encrypted in a way that this libcrypto does not know",
        hint: isParsed ? nil : "openssl pkcs12 -legacy reads it and can write it anew")
    }
    self.init(key: key, certificate: certificate, chain: chain)
  }

  /// From a key and a certificate with its chain, each PEM or DER.
  /// - Throws: ``SigningError`` with codes `wrongKind`, `missing` where the password is wrong or the two
  ///   do not belong together.
  package convenience init(
    key keyBytes: [UInt8], certificates bytes: [UInt8], password: Secret?
  ) throws(SigningError) {
    let key = try SigningKeyReading.key(keyBytes, password: password)
    var certificates = SigningKeyReading.certificates(bytes)
    // The one that is the key's comes first, wherever it stands.
    let index = certificates.firstIndex { X509_check_private_key($0, key) == 1 }
    ERR_clear_error()
    guard let index else {
      EVP_PKEY_free(key)
      let isEmpty = certificates.isEmpty
      for each in certificates { X509_free(each) }
      throw isEmpty
        ? SigningError(.wrongKind, detail: "there is no certificate in it")
        : SigningError(.missing, detail: "none of its certificates is the key's")
    }
    let own = certificates.remove(at: index)
    self.init(key: key, certificate: own, chain: certificates)
  }

  /// The certificate, read.
  package func readCertificate() throws(SigningError) -> Certificate {
    try Certificate(certificate)
  }

  /// The key in PEM (PKCS #8), not encrypted.
  package func keyPEM() throws(SigningError) -> [UInt8] {
    try SigningKeyReading.written { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  /// The certificate and its chain in PEM.
  package func certificatesPEM() throws(SigningError) -> [UInt8] {
    try SigningKeyReading.written { bio in
      ([certificate] + chain).allSatisfy { PEM_write_bio_X509(bio, $0) == 1 } ? 1 : 0
    }
  }

  /// All of it as a PKCS #12 file with an empty password.
  package func p12() throws(SigningError) -> [UInt8] {
    guard let others = OPENSSL_sk_new_null() else { throw Self.failure }
    defer { OPENSSL_sk_free(others) }
    for each in chain {
      guard OPENSSL_sk_push(others, UnsafeRawPointer(each)) > 0 else { throw Self.failure }
    }
    guard let made = PKCS12_create("", nil, key, certificate, others, 0, 0, 0, 0, 0) else {
      throw Self.failure
    }
    defer { PKCS12_free(made) }
    return try SigningKeyReading.written { i2d_PKCS12_bio($0, made) }
  }

  private static var failure: SigningError { SigningKeyReading.failure }
}

/// How keys and certificates come out of files and go into others.
private enum SigningKeyReading {
  static let failure = SigningError(
    .crypto, detail: "libcrypto cannot write the key or certificate")

  /// Keychains write PKCS #12 files with algorithms that OpenSSL 3 keeps in a provider of its own, and
  /// loading that one leaves out the usual one unless it is named too (`OSSL_PROVIDER-legacy(7)`).
  static func loadProviders() throws(SigningError) {
    guard OSSL_PROVIDER_load(nil, "default") != nil else {
      throw SigningError(.crypto, detail: "libcrypto has no default provider")
    }
    // Where there is none, newer files can be read all the same.
    if OSSL_PROVIDER_load(nil, "legacy") == nil { ERR_clear_error() }
  }

  /// The certificates of a stack, which goes.
  static func taking(_ stack: OpaquePointer?) -> [OpaquePointer] {
    guard let stack else { return [] }
    defer { OPENSSL_sk_free(stack) }
    return (0..<max(0, OPENSSL_sk_num(stack))).compactMap {
      OPENSSL_sk_value(stack, $0).map { OpaquePointer($0) }
    }
  }

  static func key(_ bytes: [UInt8], password: Secret?) throws(SigningError) -> OpaquePointer {
    // Without a text of its own libcrypto would ask on the terminal.
    let text = password?.text ?? ""
    let pem = LibCrypto.withBIO(bytes) { bio in
      text.withCString {
        PEM_read_bio_PrivateKey(bio, nil, nil, UnsafeMutableRawPointer(mutating: $0))
      }
    }
    let key =
      pem ?? LibCrypto.withBIO(bytes) { d2i_PrivateKey_bio($0, nil) }
      ?? LibCrypto.withBIO(bytes) { bio in
        text.withCString {
          d2i_PKCS8PrivateKey_bio(bio, nil, nil, UnsafeMutableRawPointer(mutating: $0))
        }
      }
    ERR_clear_error()
    if let key { return key }
    let isEncrypted = String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
    guard isEncrypted else { throw SigningError(.wrongKind, detail: "it is no private key") }
    throw SigningError(
      .missing,
      detail: password == nil ? "it has a password" : "the password is not that of the key",
      hint: "--password-file FILE or --password-env NAME")
  }

  static func certificates(_ bytes: [UInt8]) -> [OpaquePointer] {
    defer { ERR_clear_error() }
    let found = LibCrypto.withBIO(bytes) { bio in
      var found: [OpaquePointer] = []
      while let next = PEM_read_bio_X509(bio, nil, nil, nil) { found.append(next) }
      return found
    }
    if let found, !found.isEmpty { return found }
    return LibCrypto.withBIO(bytes) { d2i_X509_bio($0, nil) }.map { [$0] } ?? []
  }

  /// What a function of libcrypto writes; it returns 1 where it did.
  static func written(_ body: (OpaquePointer) -> Int32) throws(SigningError) -> [UInt8] {
    guard let bio = BIO_new(BIO_s_mem()) else { throw failure }
    defer { BIO_free(bio) }
    guard body(bio) == 1 else { throw failure }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = BIO_read(bio, &buffer, Int32(buffer.count))
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(Int(count))
    }
  }
}
