internal import ATSMerge
internal import PlistKit

/// An Info.plist before and after an edit.
struct PlistEdit: Sendable {
  let original: [UInt8]
  let edited: [UInt8]
  let format: PlistFormat
  let changes: [PlistChange]
  let notes: [String]
  /// What other readers may make of the document.
  let diagnostics: [PlistDiagnostic]

  /// Edits the Info.plist of an app, and writes it in another form where one is asked for.
  init(
    _ loaded: LoadedApp, format: PlistFormat? = nil,
    by edit: (PlistDocument) throws(MergeError) -> Preparation
  ) throws(Failure) {
    let member = loaded.plistMember
    let preparation: Preparation
    do throws(MergeError) { preparation = try edit(loaded.document) } catch {
      throw Failure(error, file: loaded.path, member: member)
    }
    var document = preparation.document
    if let format, format != document.format {
      document = PlistDocument(root: document.root, format: format)
    }
    do throws(PlistError) {
      edited = try document.serialized()
      if document.format != loaded.document.format {
        try Self.checkReading(of: loaded.document, before: document.format)
        try Self.check(edited, holds: document.root, in: document.format)
      }
    } catch { throw Failure(error, file: loaded.path, member: member) }
    self.format = document.format
    original = loaded.infoPlistBytes
    changes = preparation.changes
    notes = preparation.notes
    diagnostics = loaded.document.diagnostics
  }

  /// Sees to it that all was read as it stands: text and numbers that only a binary file can hold are
  /// replaced in the value, and would be so for good in another form.
  private static func checkReading(
    of document: PlistDocument, before format: PlistFormat
  ) throws(PlistError) {
    let replaced = document.diagnostics.first {
      $0.code == .unpairedSurrogate || $0.code == .refusedByApple
    }
    guard let replaced, document.format == .binary else { return }
    throw PlistError(
      .unrepresentable, at: replaced.location, keyPath: replaced.keyPath,
      detail: "the \(format.rawValue) form cannot hold this: \(replaced.detail)")
  }

  /// Sees to it that another form holds the same values: XML has no fractions of a second and no
  /// dictionaries that look like a UID.
  private static func check(
    _ bytes: [UInt8], holds root: PlistValue, in format: PlistFormat
  ) throws(PlistError) {
    let reread = try PlistDocument(parsing: bytes, limits: .infoPlist).root
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

  /// Whether the file's bytes differ.
  var isEmpty: Bool { edited == original }

  /// The change as a unified diff of the XML form; where that cannot be made or is too large, as a list of the changes.
  func diff(name: String, style: Style) -> String {
    var diff: LineDiff?
    // A character reference can stand for a digit of an ID, which would not be known for one.
    if let old = Self.xmlText(original), !old.contains("&#"), let new = Self.xmlText(edited) {
      diff = LineDiff(from: old, to: new, name: name)
    }
    return diff?.text(style)
      ?? changes.map { "\($0.op.rawValue) \($0.path.description.printable)\n" }.joined()
  }

  private static func xmlText(_ bytes: [UInt8]) -> String? {
    guard let document = try? PlistDocument(parsing: bytes, limits: .infoPlist) else { return nil }
    if document.format == .xml {
      // The document's own text, unless it is in an encoding other than UTF-8.
      if let text = String(validating: bytes, as: UTF8.self) { return text }
    }
    let rendered = try? PlistDocument(root: document.root, format: .xml).serialized()
    return rendered.map { String(decoding: $0, as: UTF8.self) }
  }
}
