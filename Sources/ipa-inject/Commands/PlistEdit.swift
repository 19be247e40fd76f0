internal import ATSMerge
internal import PlistKit

/// An Info.plist before and after an edit.
struct PlistEdit: Sendable {
  let original: [UInt8]
  let edited: [UInt8]
  let format: PlistFormat
  let changes: [PlistChange]
  let notes: [String]
  /// What the oldest OS that the app runs on makes of the edit.
  var platformNotes: [String] = []
  /// What other readers may make of the document.
  let diagnostics: [PlistDiagnostic]

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

extension PlistEdit {
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
    let document = preparation.document
    let edited: [UInt8]
    do throws(PlistError) {
      edited = try document.serialized(as: format ?? document.format, reading: loaded.document)
    } catch { throw Failure(error, file: loaded.path, member: member) }
    self.init(
      original: loaded.infoPlistBytes, edited: edited, format: format ?? document.format,
      changes: preparation.changes, notes: preparation.notes,
      platformNotes: preparation.platformNotes,
      diagnostics: loaded.document.diagnostics)
  }
}
