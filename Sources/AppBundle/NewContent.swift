/// Bytes that go into an output in place of a file's own.
struct NewContent {
  /// The file among the input's entries.
  let index: Int
  let bytes: [UInt8]
  /// The modification time, nil for the file's.
  let seconds: Int64?
}
