import PlistKit

/// What must hold for the writers: a value that was read, written in a format that holds it, reads
/// as the same value.
struct ConvertCheck {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func run() throws(FuzzFailure) {
    guard
      let document = try? PlistDocument(
        parsing: bytes, limits: ReaderCheck.limits, strictness: .loosest)
    else { return }
    // Shared values are written out and compared one by one.
    guard document.root.extent() != nil else { return }
    for format in [PlistFormat.xml, .binary] {
      try Self.check(document.root, as: format)
    }
    try JSONCheck.check(document.root)
    let openStep = try attempt(
      { () throws(PlistError) in
        try PlistDocument(root: document.root, format: .openStep).serialized()
      }, allowing: [.unrepresentable], "OpenStep text")
    try require(openStep == nil, "OpenStep text was written")
  }

  static func check(_ value: PlistValue, as format: PlistFormat) throws(FuzzFailure) {
    let written = try attempt(
      { () throws(PlistError) in try PlistDocument(root: value, format: format).serialized() },
      allowing: [.unrepresentable, .limit], "\(format) cannot be written")
    guard let written else {
      // Only an archive's reference, which is a container in XML, can be one level too deep.
      let isHeld = format == .binary || value.hasXMLForm
      let isDeep = (value.extent()?.depth ?? 0) >= 512
      return try require(!isHeld || isDeep, "\(format) holds the value, and it was not written")
    }
    let again = try require("what was written as \(format) is not read") {
      () throws(PlistError) in try PlistDocument(parsing: written)
    }
    let expected = format == .xml ? value.xmlForm : value
    try require(again.root == expected, "what was written as \(format) reads otherwise")
    try require(again.format == format, "what was written as \(format) is read as \(again.format)")
    try require(again.diagnostics.allSatisfy { $0.code == .deep }, "what was written has flaws")
    let rewritten = try require("it cannot be written twice") { () throws(PlistError) in
      try PlistDocument(root: again.root, format: format).serialized()
    }
    try require(rewritten == written, "\(format) is written another way the second time")
  }
}
