/// The diagnostics of one reading of text, with their places as offsets until the end: to find the line
/// of each by itself would take a walk through the text for each.
struct TextNotes {
  private struct Note {
    let code: PlistDiagnostic.Code
    let offset: Int
    let keyPath: PlistKeyPath?
    let detail: String
  }

  private var notes: [Note] = []
  /// A hostile file could hold one for each of its bytes.
  private static let most = 100

  /// Whether no more are kept.
  var isFull: Bool { notes.count >= Self.most }

  mutating func add(
    _ code: PlistDiagnostic.Code, at offset: Int,
    keyPath: PlistKeyPath? = nil, _ detail: String
  ) {
    guard !isFull else { return }
    notes.append(Note(code: code, offset: offset, keyPath: keyPath, detail: detail))
  }

  /// The diagnostics in the order of the document.
  func diagnostics(in source: XMLBytes) -> [PlistDiagnostic] {
    let sorted = notes.sorted { $0.offset < $1.offset }
    return zip(sorted, source.locations(of: sorted.map(\.offset))).map { note, location in
      PlistDiagnostic(
        code: note.code, location: location, keyPath: note.keyPath, detail: note.detail)
    }
  }
}
