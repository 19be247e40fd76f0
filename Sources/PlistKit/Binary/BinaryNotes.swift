/// What was read all the same and another reader may refuse. Paths are put together from the inside
/// out, by each container that a note comes from.
struct BinaryNotes {
  private var notes: [PlistDiagnostic] = []

  /// How many are kept, so that a hostile file cannot fill the memory with them.
  private static let maximum = 100

  @inline(__always)
  var count: Int { notes.count }

  /// The notes with their paths the right way round.
  var diagnostics: [PlistDiagnostic] {
    notes.map { note in
      var note = note
      note.keyPath = PlistKeyPath(note.keyPath?.components.reversed() ?? [])
      return note
    }
  }

  @inline(never)
  mutating func add(_ code: PlistDiagnostic.Code, at offset: Int, _ detail: String) {
    guard notes.count < Self.maximum else { return }
    notes.append(
      PlistDiagnostic(code: code, location: .offset(offset), keyPath: .root, detail: detail))
  }

  /// Adds the step to a container's item to the notes that come from it.
  @inline(never)
  mutating func place(from first: Int, inside step: PlistKeyPath.Component) {
    for place in notes.indices.dropFirst(first) { notes[place].keyPath?.components.append(step) }
  }

  mutating func add(_ flaw: BinaryLeafFlaw, at offset: Int) {
    switch flaw {
    case .highBytes:
      add(
        .refusedByApple, at: offset,
        "ASCII string with bytes above 0x7F, read as Latin-1; readers differ, some refuse it")
    case .unpairedSurrogate:
      add(
        .unpairedSurrogate, at: offset, "UTF-16 with half of a surrogate pair, shown as U+FFFD")
    case .wideInteger:
      add(
        .refusedByApple, at: offset,
        "integer beyond 64 bits, read as its low 64; readers differ, some refuse it")
    case .emptyUTF16:
      add(
        .refusedByApple, at: offset,
        "empty string in UTF-16 form; readers differ, some refuse it")
    }
  }
}
