/// What an app is signed with, as the command line says it.
package struct SignerRequest: Sendable {
  /// The name of an identity in a keychain.
  package var identity: String?
  /// A private key: PEM or DER.
  package var keyPath: String?
  /// Its certificate, and the chain behind it: PEM, or one certificate in DER.
  package var certificatePath: String?
  /// Both in one file (PKCS #12).
  package var p12Path: String?
  /// What the key or the PKCS #12 file is encrypted with.
  package var password: Secret?
  /// The files of the profiles that were given, that of the main app first.
  package var profiles: [String] = []
  /// Whether a person gave the main app's entitlements.
  package var givesEntitlements = false
  /// What goes to the signer as it is.
  package var extraArguments: [String] = []
  /// How long the signer may take, nil for as long as it wants.
  package var timeout: Duration?

  package init() {}

  /// Whether there is something to sign with.
  package var hasKey: Bool { keyPath != nil || p12Path != nil }
}

/// A password. It describes itself without its text.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  /// The text itself, for whoever needs it.
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { Self.mark }
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// What stands where a password stood.
  package static let mark = "(secret)"

  /// A text without some passwords.
  package static func hiding(_ secrets: [String], in text: String) -> String {
    // The longest first, so that none is left behind as the rest of another.
    secrets.filter { !$0.isEmpty }.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) {
      $0.split(separator: $1, omittingEmptySubsequences: false).joined(separator: mark)
    }
  }
}
