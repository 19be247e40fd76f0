extension String {
  /// The text for an element or a quoted attribute of XML 1.0 or HTML. What is no character of XML
  /// (section 2.2) is replaced.
  var markupEscaped: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      case "\t", "\n", "\r", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}",
        "\u{10000}"..."\u{10FFFF}":
        result.append(scalar)
      default: result.append("\u{FFFD}")
      }
    }
    return String(result)
  }
}
