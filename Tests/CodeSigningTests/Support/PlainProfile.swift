import CodeSigning
import PlistKit

/// A profile as a property list by itself.
struct PlainProfile: Sendable {
  var identifier = "TEAM.com.example.app"
  var team = "TEAM"
  var platform = "iOS"
  var expires = "2027-06-01T00:00:00Z"
  var created = "2026-01-01T00:00:00Z"
  /// Keys and values of the entitlements beside the identifiers, in XML.
  var more = ""
  var certificates: [[UInt8]] = []
  var name = "P"

  var bytes: [UInt8] {
    let list = certificates.map { "<data>\(PlistValue.base64($0))</data>" }.joined()
    return Array(
      """
      <plist version="1.0"><dict>
      <key>Name</key><string>\(name)</string>
      <key>TeamIdentifier</key><array><string>\(team)</string></array>
      <key>ApplicationIdentifierPrefix</key><array><string>\(team)</string></array>
      <key>Platform</key><array><string>\(platform)</string></array>
      <key>CreationDate</key><date>\(created)</date>
      <key>ExpirationDate</key><date>\(expires)</date>
      <key>DeveloperCertificates</key><array>\(list)</array>
      <key>Entitlements</key><dict>
      <key>application-identifier</key><string>\(identifier)</string>
      <key>com.apple.developer.team-identifier</key><string>\(team)</string>
      <key>get-task-allow</key><true/>\(more)
      </dict></dict></plist>
      """.utf8)
  }

  func given(to bundle: String? = nil, file: String = "p") throws -> SigningRequest.Profile {
    SigningRequest.Profile(
      bundleIdentifier: bundle, file: file, profile: try ProvisioningProfile(parsing: bytes))
  }
}
