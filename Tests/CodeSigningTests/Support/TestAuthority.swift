import Foundation
import Testing

/// Certificates and messages that the `openssl` command made: a root, who signed a developer's certificate.
final class TestAuthority: Sendable {
  static let team = "ABCDE12345"
  static let identity = "Apple Development: Tester (ABCDE12345)"

  /// Nil where there is no `openssl`.
  static let shared: TestAuthority? = try? TestAuthority()

  let folder: AppFolder

  init() throws {
    folder = try AppFolder()
    let key = ["-newkey", "rsa:2048", "-nodes"]
    try openssl(
      ["req", "-x509"] + key + [
        "-keyout", at("ca.key"), "-out", at("ca.pem"), "-days", "7300", "-subj",
        "/C=US/O=Test/CN=Test CA", "-addext", "basicConstraints=critical,CA:TRUE",
      ])
    try openssl(
      ["req"] + key + [
        "-keyout", at("leaf.key"), "-out", at("leaf.csr"), "-subj",
        "/UID=\(Self.team)/CN=\(Self.identity)/OU=\(Self.team)/O=Test Org/C=US",
      ])
    try folder.write("ext.cnf", "extendedKeyUsage=codeSigning\nkeyUsage=digitalSignature\n".utf8)
    try makeLeaf("leaf", days: "3650")
    // OpenSSL takes no other past date: a certificate that is over as soon as it is made.
    try makeLeaf("expired", days: "-1")
  }

  private func makeLeaf(_ name: String, days: String) throws {
    try openssl([
      "x509", "-req", "-in", at("leaf.csr"), "-CA", at("ca.pem"), "-CAkey", at("ca.key"),
      "-CAcreateserial", "-days", days, "-extfile", at("ext.cnf"), "-out", at("\(name).pem"),
    ])
  }

  func at(_ name: String) -> String { folder.at(name) }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: at(name))))
  }

  @discardableResult
  func openssl(_ arguments: [String]) throws -> String {
    let result = try Tool.run(["openssl"] + arguments)
    guard result.status == 0 else { throw Failure(output: result.output) }
    return result.output
  }

  struct Failure: Error { let output: String }

  func certificate(_ name: String) throws -> [UInt8] {
    let out = at("\(UUID().uuidString).der")
    try openssl(["x509", "-in", at("\(name).pem"), "-outform", "DER", "-out", out])
    return Array(try Data(contentsOf: URL(fileURLWithPath: out)))
  }

  /// A message over a content: with `["-nodetach"]` the content inside, with `["-stream"]` in BER.
  func message(
    _ content: some Collection<UInt8>, _ options: [String], signer: String = "leaf"
  ) throws -> [UInt8] {
    let name = UUID().uuidString
    try folder.write("\(name).in", content)
    try openssl(
      [
        "cms", "-sign", "-binary", "-outform", "DER", "-in", at("\(name).in"), "-signer",
        at("\(signer).pem"), "-inkey", at("leaf.key"), "-certfile", at("ca.pem"), "-out",
        at("\(name).out"),
      ] + options)
    return try bytes("\(name).out")
  }

  /// A profile's property list in XML, `<date>` and such included, with other keys behind the usual ones.
  static func profile(
    entitlements: String = "", other: String = "", certificates: [[UInt8]] = [],
    identifier: String = "\(team).com.example.app"
  ) -> [UInt8] {
    let data = certificates.map { "<data>\(Data($0).base64EncodedString())</data>" }.joined()
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>
      <key>AppIDName</key><string>Test</string>
      <key>ApplicationIdentifierPrefix</key><array><string>\(team)</string></array>
      <key>CreationDate</key><date>2026-01-01T00:00:00Z</date>
      <key>Platform</key><array><string>iOS</string></array>
      <key>DeveloperCertificates</key><array>\(data)</array>
      <key>Entitlements</key><dict>
      <key>application-identifier</key><string>\(identifier)</string>
      <key>com.apple.developer.team-identifier</key><string>\(team)</string>
      \(entitlements)</dict>
      <key>ExpirationDate</key><date>2027-01-01T00:00:00Z</date>
      <key>Name</key><string>Test profile</string>
      <key>TeamIdentifier</key><array><string>\(team)</string></array>
      <key>TeamName</key><string>Test Org</string>
      <key>UUID</key><string>11111111-2222-3333-4444-555555555555</string>
      <key>Version</key><integer>1</integer>
      \(other)</dict></plist>
      """.utf8)
  }
}
