internal import PlistKit

extension PlistDocument {
  /// The document's bytes in a form, which must hold every value as it is; `source` is the document as
  /// it was read, before an edit.
  /// - Throws: ``PlistError`` with code `unrepresentable` and the key path that the form cannot hold.
  func serialized(
    as format: PlistFormat, reading source: PlistDocument
  ) throws(PlistError) -> [UInt8] {
    if format == self.format { return try serialized() }
    try source.checkReading(before: format.rawValue)
    return try Self.serialized(root, as: format)
  }

  /// A value's bytes in a form, which must hold it as it is.
  static func serialized(_ root: PlistValue, as format: PlistFormat) throws(PlistError) -> [UInt8] {
    let bytes = try PlistDocument(root: root, format: format).serialized()
    try check(bytes, holds: root, in: format)
    return bytes
  }

  /// Sees to it that all was read as it stands: text and numbers that only a binary file can hold are
  /// replaced in the value, and would be so for good in another form.
  func checkReading(before form: String) throws(PlistError) {
    let replaced = diagnostics.first {
      $0.code == .unpairedSurrogate || $0.code == .refusedByApple
    }
    guard let replaced, format == .binary else { return }
    throw PlistError(
      .unrepresentable, at: replaced.location, keyPath: replaced.keyPath,
      detail: "the \(form) form cannot hold this: \(replaced.detail)")
  }

  /// Sees to it that bytes hold the values that they were made of: XML has no fractions of a second and no
  /// dictionaries that look like a UID.
  static func check(
    _ bytes: [UInt8], holds root: PlistValue, in format: PlistFormat
  ) throws(PlistError) {
    let reread = try PlistDocument(parsing: bytes).root
    let lost = try PlistChange.changes(from: root, to: reread).first { change in
      if case .real(let old)? = change.old, case .real(let new)? = change.new {
        return old.value.bitPattern != new.value.bitPattern
      }
      return true
    }
    guard let lost else { return }
    throw PlistError(
      .unrepresentable, keyPath: lost.path,
      detail: "the \(format.rawValue) form cannot hold this value as it is")
  }
}
