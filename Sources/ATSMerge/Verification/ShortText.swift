extension String {
  /// The text, with an ellipsis behind so many scalars where it has more. A hostile file can hold a key of
  /// megabytes, and one character of as many.
  package func cut(to limit: Int) -> String {
    guard utf8.count > limit,
      let end = unicodeScalars.index(
        unicodeScalars.startIndex, offsetBy: limit, limitedBy: unicodeScalars.endIndex),
      end < unicodeScalars.endIndex
    else { return self }
    return String(unicodeScalars[..<end]) + "…"
  }

  /// The text for a message.
  var shortened: String { cut(to: 200) }
}

extension [String] {
  /// The first few, and how many more there are.
  package var shortList: String {
    prefix(5).map(\.shortened).joined(separator: ", ")
      + (count > 5 ? " and \(count - 5) more" : "")
  }
}
