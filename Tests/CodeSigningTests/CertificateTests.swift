import CodeSigning
import Foundation
import PlistKit
import Testing

@Suite(.enabled(if: TestAuthority.shared != nil)) struct CertificateTests {
  let authority: TestAuthority

  init() throws { authority = try #require(TestAuthority.shared) }

  @Test(arguments: ["leaf", "ca", "expired"]) func fields(_ name: String) throws {
    let certificate = try Certificate(der: try authority.certificate(name))
    let told = try authority.openssl([
      "x509", "-in", authority.at("\(name).pem"), "-noout", "-subject", "-issuer", "-nameopt",
      "sep_comma_plus_space,sname,utf8", "-serial", "-fingerprint", "-sha1", "-dates", "-dateopt",
      "iso_8601",
    ])
    let date = { (date: PlistDate?) in
      date?.iso8601?.replacingOccurrences(of: "T", with: " ") ?? "none"
    }
    let fingerprint = certificate.sha1.map { String(format: "%02X", $0) }.joined(separator: ":")
    #expect(told.contains("subject=\(certificate.subject)\n"))
    #expect(told.contains("issuer=\(certificate.issuer)\n"))
    #expect(told.contains("serial=\(certificate.serialNumber)\n"))
    #expect(told.contains("notBefore=\(date(certificate.notBefore))\n"))
    #expect(told.contains("notAfter=\(date(certificate.notAfter))\n"))
    #expect(told.contains("Fingerprint=\(fingerprint)\n"))
    #expect(certificate.isSelfIssued == (name == "ca"))
    #expect(certificate.signatureAlgorithm == "sha256WithRSAEncryption")
    let hash = try HashAlgorithm.sha256.hash(certificate.der)
    #expect(certificate.sha256 == hash)
  }

  @Test func validity() throws {
    let leaf = try Certificate(der: try authority.certificate("leaf"))
    let expired = try Certificate(der: try authority.certificate("expired"))
    let start = try #require(leaf.notBefore).secondsSince2001
    let end = try #require(leaf.notAfter).secondsSince2001
    let at = { PlistDate(secondsSince2001: $0) }
    #expect(leaf.isValid(at: at(start)) && leaf.isValid(at: at(end)))
    #expect(!leaf.isValid(at: at(start - 1)) && !leaf.isValid(at: at(end + 1)))
    // It ends before it begins: it is never valid, at its first moment neither.
    let first = try #require(expired.notBefore).secondsSince2001
    let last = try #require(expired.notAfter).secondsSince2001
    #expect(last < first)
    for moment in [last, first, first + 86_400] { #expect(!expired.isValid(at: at(moment))) }
  }

  @Test func oldAlgorithms() throws {
    for digest in ["sha1", "md5"] {
      try authority.openssl([
        "req", "-x509", "-newkey", "rsa:1024", "-nodes", "-\(digest)", "-keyout",
        authority.at("old.key"), "-out", authority.at("\(digest).pem"), "-subj", "/CN=Old",
      ])
      let old = try Certificate(der: try authority.certificate(digest))
      #expect(old.commonName == "Old")
      #expect(old.signatureAlgorithm == "\(digest)WithRSAEncryption")
    }
  }

  @Test func truncated() throws {
    let bytes = try authority.certificate("leaf")
    for count in 0..<bytes.count {
      let code = signingErrorCode { () throws(SigningError) in
        _ = try Certificate(der: Array(bytes.prefix(count)))
      }
      #expect(code == .malformed, "\(count) bytes")
    }
    let longer = signingErrorCode { () throws(SigningError) in
      _ = try Certificate(der: bytes + [0])
    }
    #expect(longer == .malformed)
  }
}
