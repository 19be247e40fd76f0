/// The pieces that examples are put together from, as a person would write them.
enum ExampleText {
  /// An installation ID as an update server makes one.
  static let id = "0123456789abcdef0123456789abcdef0123456789abcdef"
  /// Another one.
  static let otherID = "fedcba9876543210fedcba9876543210fedcba9876543210"

  /// An update URL.
  static func url(_ host: String, id: String = id, query: String = "") -> String {
    "http://\(host):19464/api/app/\(id)/update\(query)"
  }

  /// An `IPAHub` dictionary with update URLs and more fields.
  static func hub(
    _ urls: String..., more: String = "<key>source</key><string>gh:example/demo</string>"
  )
    -> String
  {
    let items = urls.map { "\n    <string>\($0)</string>" }.joined()
    let fields = more.isEmpty ? "" : "\n  " + more.split(separator: "\n").joined(separator: "\n  ")
    return """
      <key>IPAHub</key>
      <dict>
        <key>updateURL</key>
        <array>\(items)
        </array>\(fields)
      </dict>
      """
  }

  /// The dictionary of App Transport Security.
  static func transport(_ settings: String) -> String {
    dictionary("NSAppTransportSecurity", settings)
  }

  /// The dictionary of App Transport Security with exception domains alone.
  static func domains(_ entries: String) -> String {
    transport(dictionary("NSExceptionDomains", entries))
  }

  /// A dictionary under a key.
  static func dictionary(_ key: String, _ content: String) -> String {
    """
    <key>\(key)</key>
    <dict>
      \(indented(content, by: 2))
    </dict>
    """
  }

  /// An entry of a domain.
  static func entry(
    _ domain: String, _ content: String = "<key>NSExceptionAllowsInsecureHTTPLoads</key><true/>"
  ) -> String {
    let inside = content.contains("\n") ? "\n  \(indented(content, by: 2))\n" : content
    return """
      <key>\(domain)</key>
      <dict>\(inside)</dict>
      """
  }

  /// The lines but the first with so many blanks before them.
  static func indented(_ text: String, by count: Int) -> String {
    text.split(separator: "\n").joined(separator: "\n" + String(repeating: " ", count: count))
  }
}
