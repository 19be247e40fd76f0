import PlistKit

/// What must hold for edits: the edited document reads as the edited value, taking the edit back
/// gives the bytes that were read, and the changes lead from one value to the other.
package struct EditCheck {
  private let bytes: [UInt8]
  private let choices: Choices

  package init(_ bytes: [UInt8], _ choices: Choices) {
    self.bytes = bytes
    self.choices = choices
  }

  /// Checks, and returns whether the edited document could be written.
  @discardableResult
  package func run() throws(FuzzFailure) -> Bool {
    var choices = choices
    let strictness = choices.element(of: ParseStrictness.all)
    guard
      let document = try? PlistDocument(
        parsing: bytes, limits: ReaderCheck.limits, strictness: strictness),
      document.root.extent() != nil
    else { return false }
    var script = EditScript(choices, on: document.root)
    try script.run()
    guard script.value.extent() != nil else { return false }
    try checkChanges(from: document.root, to: script.value)
    var edited = document
    edited.root = script.value
    let written = try write(edited)
    edited.root = document.root
    try require(try write(edited) == bytes, "an edit that was taken back leaves other bytes")
    guard let written else { return false }
    try checkWritten(written, script.value, original: document, strictness)
    return true
  }

  /// The document's bytes, nil where its format cannot hold its value.
  private func write(_ document: PlistDocument) throws(FuzzFailure) -> [UInt8]? {
    let codes: Set<PlistError.Code> =
      document.format == .xml ? [.unrepresentable, .limit, .encoding] : [.unrepresentable, .limit]
    do { return try document.serialized() } catch {
      try require(codes.contains(error.code), "an edit fails (\(error.code): \(error))")
      try ErrorCheck.check(error)
      switch (error.code, document.format) {
      case (.unrepresentable, .xml):
        try require(!document.root.hasXMLForm, "XML holds the value, and it was not written")
      case (.unrepresentable, .binary): throw FuzzFailure("a binary file holds any value: \(error)")
      case (.limit, _):
        let depth = document.root.extent()?.depth ?? 0
        try require(depth >= 512, "a bound is said to be met: \(error)")
      default: break
      }
      return nil
    }
  }

  private func checkWritten(
    _ written: [UInt8], _ value: PlistValue, original: PlistDocument, _ strictness: ParseStrictness
  ) throws(FuzzFailure) {
    let isChanged = value != original.root
    try require(isChanged || written == bytes, "bytes change where no value does")
    var again = try require("the edited document is not read") { () throws(PlistError) in
      try PlistDocument(parsing: written, strictness: strictness)
    }
    let expected = original.format == .xml ? value.xmlForm : value
    try require(again.root == expected, "the edited document reads as another value")
    if isChanged {
      let isUnique = again.diagnostics.allSatisfy { $0.code != .duplicateKey }
      try require(isUnique || original.format == .binary, "an edited document has a key twice")
    }
    try require(
      try write(again) == written, "the edited document is written as other bytes")
    again.root = original.root
    guard let back = try write(again) else { return }
    let restored = try require("the document is not read after going back") {
      () throws(PlistError) in try PlistDocument(parsing: back, strictness: strictness)
    }
    let form = original.format == .xml ? original.root.xmlForm : original.root
    try require(restored.root == form, "going back leaves another value")
  }

  private func checkChanges(
    from old: PlistValue, to new: PlistValue
  ) throws(FuzzFailure) {
    let changes = try attempt(
      { () throws(PlistError) in try PlistChange.changes(from: old, to: new) },
      allowing: [.limit], "the difference fails")
    guard let changes else {
      let depth = max(old.extent()?.depth ?? 0, new.extent()?.depth ?? 0)
      return try require(depth > 512, "two small values are said to differ too much")
    }
    let applied = try require("a change does not apply") { () throws(PlistError) in
      var value = old
      for change in changes {
        value =
          switch (change.op, change.new) {
          case (.add, let added?), (.replace, let added?):
            try value.setting(added, at: change.path)
          default: try value.removing(change.path)
          }
      }
      return value
    }
    try require(applied.sortedByKey == new.sortedByKey, "the changes lead to another value")
    for change in changes {
      try require(change.old == old[change.path], "the old value at '\(change.path)' is another")
    }
  }
}
