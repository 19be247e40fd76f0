import Foundation
import Testing

@testable import CodeSigning

/// Keys in the forms that signers take, by openssl's judgement.
@Suite("SigningKey")
struct SigningKeyTests {
  /// Keys, certificates and PKCS #12 files made by openssl, with the password `pass word`.
  private static let folder: AppFolder? = {
    guard let folder = try? AppFolder() else { return nil }
    let script = """
      set -e; cd "$1"
      openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=CA
      openssl req -newkey rsa:2048 -nodes -keyout key.pem -out leaf.csr -subj /CN=Leaf
      openssl x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out leaf.pem
      cat ca.pem leaf.pem >chain.pem
      openssl x509 -in leaf.pem -outform DER -out leaf.der
      openssl pkcs8 -topk8 -in key.pem -nocrypt -outform DER -out key.der
      openssl pkcs8 -topk8 -in key.pem -out locked.pem -passout 'pass:pass word'
      openssl pkcs8 -topk8 -in key.pem -outform DER -out locked.der -passout 'pass:pass word'
      openssl rsa -in key.pem -traditional -out traditional.pem
      for form in '' -legacy; do
        openssl pkcs12 -export $form -inkey key.pem -in leaf.pem -certfile ca.pem \\
          -passout 'pass:pass word' -out "dev$form.p12"
      done
      openssl pkcs12 -export -inkey key.pem -in leaf.pem -passout pass: -out open.p12
      openssl pkcs12 -export -nokeys -in leaf.pem -passout pass: -out nokey.p12
      """
    let made = try? Tool.run(["sh", "-c", script, "sh", folder.path])
    return made?.status == 0 ? folder : nil
  }()

  private static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(folder, "openssl made no keys")
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.at(name))))
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var key = ""
    var certificates = ""
    var p12 = ""
    var password: String?
    var chain = 2
    var testDescription: String { [key, certificates, p12].joined(separator: " ") }
  }

  private static func key(_ row: Row) throws -> SigningKey {
    let password = row.password.map { Secret($0) }
    return row.p12.isEmpty
      ? try SigningKey(
        key: bytes(row.key), certificates: bytes(row.certificates), password: password)
      : try SigningKey(p12: bytes(row.p12), password: password)
  }

  @Test(
    "every form comes out as others read it",
    arguments: [
      Row(key: "key.pem", certificates: "chain.pem"),
      Row(key: "key.der", certificates: "leaf.der", chain: 1),
      Row(key: "traditional.pem", certificates: "leaf.pem", chain: 1),
      Row(key: "locked.pem", certificates: "chain.pem", password: "pass word"),
      Row(key: "locked.der", certificates: "chain.pem", password: "pass word"),
      Row(p12: "dev.p12", password: "pass word"),
      Row(p12: "dev-legacy.p12", password: "pass word"),
      Row(p12: "open.p12", chain: 1),
    ])
  func forms(_ row: Row) throws {
    let key = try Self.key(row)
    #expect(try key.readCertificate().der == Self.bytes("leaf.der"))
    let out = try AppFolder()
    try out.write("out.p12", try key.p12())
    try out.write("out.key", try key.keyPEM())
    try out.write("out.pem", try key.certificatesPEM())
    let read = try Tool.run([
      "openssl", "pkcs12", "-in", out.at("out.p12"), "-passin", "pass:", "-nodes",
    ])
    #expect(read.status == 0, "\(read.output)")
    let count = read.output.components(separatedBy: "BEGIN CERTIFICATE").count - 1
    #expect(count == row.chain)
    let own = try Tool.run(["openssl", "pkey", "-in", out.at("out.key"), "-pubout"])
    let folder = try #require(Self.folder)
    #expect(
      own.output
        == (try Tool.run(["openssl", "pkey", "-in", folder.at("key.pem"), "-pubout"])).output)
    let first = try Tool.run(["openssl", "x509", "-in", out.at("out.pem"), "-noout", "-subject"])
    #expect(first.output.contains("Leaf"))
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let row: Row
    let code: SigningError.Code
    var testDescription: String { "\(row.testDescription) \(row.password ?? "-")" }
  }

  @Test(
    "what cannot be read is refused",
    arguments: [
      Refusal(row: Row(key: "locked.pem", certificates: "leaf.pem"), code: .missing),
      Refusal(
        row: Row(key: "locked.pem", certificates: "leaf.pem", password: "no"), code: .missing),
      Refusal(row: Row(key: "key.pem", certificates: "ca.pem"), code: .missing),
      Refusal(row: Row(key: "key.pem", certificates: "key.pem"), code: .wrongKind),
      Refusal(row: Row(key: "leaf.pem", certificates: "leaf.pem"), code: .wrongKind),
      Refusal(row: Row(p12: "dev.p12"), code: .missing),
      Refusal(row: Row(p12: "dev.p12", password: "no"), code: .missing),
      Refusal(row: Row(p12: "nokey.p12"), code: .missing),
      Refusal(row: Row(p12: "leaf.pem"), code: .wrongKind),
    ])
  func refusals(_ refusal: Refusal) throws {
    let error = try #require(throws: SigningError.self) { _ = try Self.key(refusal.row) }
    #expect(error.code == refusal.code)
  }

  @Test("a PKCS #12 file that is cut or changed anywhere does no harm")
  func mutations() throws {
    let whole = try Self.bytes("open.p12")
    for place in stride(from: 0, to: whole.count, by: 37) {
      _ = try? SigningKey(p12: Array(whole.prefix(place)), password: nil)
      var changed = whole
      changed[place] ^= 0xFF
      _ = try? SigningKey(p12: changed, password: nil)
    }
    #expect(throws: Never.self) { try SigningKey(p12: whole, password: nil) }
  }
}
