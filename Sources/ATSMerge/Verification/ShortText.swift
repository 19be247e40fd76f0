extension String {
  /// The text for a message: of a long one only the start. A hostile file can hold a key of megabytes,
  /// and each finding would repeat it.
  var shortened: String {
    let most = 200
    guard utf8.count > most else { return self }
    return String(unicodeScalars.prefix(most)) + "…"
  }
}

extension [String] {
  /// The first few, and how many more there are.
  var shortList: String {
    prefix(5).map(\.shortened).joined(separator: ", ")
      + (count > 5 ? " and \(count - 5) more" : "")
  }
}
