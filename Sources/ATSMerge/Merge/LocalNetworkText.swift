/// The text that iOS shows when it asks for the local network.
///
/// Source: the update contract, "Local Network privacy and ATS"; Apple, "NSLocalNetworkUsageDescription".
public enum LocalNetworkText {
  /// The key in Info.plist.
  public static let key = "NSLocalNetworkUsageDescription"
  /// The key of the Bonjour services that an app looks for, whose reason is the text too.
  public static let bonjourServices = "NSBonjourServices"
  /// The contract's sentence, used where an app has no text of its own.
  public static let standard =
    "Connect to your Mac to check for and install updates through ipa-hub"

  /// Whether a text says nothing: only white space in Unicode's sense, zero-width spaces, word
  /// joiners and byte-order marks.
  public static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || invisible.contains(scalar)
    }
  }

  private static let invisible: Set<Unicode.Scalar> = ["\u{200B}", "\u{2060}", "\u{FEFF}"]
}
