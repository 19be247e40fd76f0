/// What was read all the same and another reader may refuse.
struct BinaryNotes {
  private(set) var diagnostics: [PlistDiagnostic] = []

  /// How many are kept, so that a hostile file cannot fill the memory with them.
  private static let maximum = 100

  /// Whether no more are kept.
  var isFull: Bool { diagnostics.count >= Self.maximum }

  mutating func add(
    _ code: PlistDiagnostic.Code, at offset: Int, in path: PlistKeyPath, _ detail: String
  ) {
    guard !isFull else { return }
    diagnostics.append(
      PlistDiagnostic(code: code, location: .offset(offset), keyPath: path, detail: detail))
  }

  mutating func add(_ flaw: BinaryLeafFlaw, at offset: Int, in path: PlistKeyPath) {
    switch flaw {
    case .highBytes:
      add(
        .refusedByApple, at: offset, in: path,
        "ASCII string with bytes above 0x7F, read as Latin-1; readers differ, some refuse it")
    case .unpairedSurrogate:
      add(
        .unpairedSurrogate, at: offset, in: path,
        "UTF-16 with half of a surrogate pair, shown as U+FFFD")
    case .wideInteger:
      add(
        .refusedByApple, at: offset, in: path,
        "integer beyond 64 bits, read as its low 64; readers differ, some refuse it")
    case .emptyUTF16:
      add(
        .refusedByApple, at: offset, in: path,
        "empty string in UTF-16 form; readers differ, some refuse it")
    }
  }
}
