import PlistKit

/// What must hold for a reader: what it accepts is written as it was, bounds bind at the value
/// that they name, and what it refuses has a place in the bytes.
struct ReaderCheck {
  private let bytes: [UInt8]
  private let format: PlistFormat

  init(_ bytes: [UInt8], _ format: PlistFormat) {
    self.bytes = bytes
    self.format = format
  }

  func run() throws(FuzzFailure) {
    guard looksLike(format) else { return }
    let strict = try parse(.strict)
    let lenient = try parse(.lenient)
    _ = try parse(.apple)
    _ = try parse(.loosest)
    guard let strict else { return }
    // Data of OpenStep text starts as XML does.
    if format == .xml, strict.format == .openStep, case .data = strict.root { return }
    try require(strict.format == format, "\(strict.format) was read as \(format)")
    guard let lenient else { throw FuzzFailure("a lenient reader refuses what a strict one takes") }
    guard let extent = strict.root.extent() else { return }
    try require(strict.root == lenient.root, "a lenient reader reads another value")
    try checkPlaces(in: strict)
    try checkBounds(extent, of: strict.root)
    if format == .xml { try checkThroughLibXML2(strict.root) }
  }

  /// A processing instruction after the root leaves a document to libxml2 that is plain without it.
  private func checkThroughLibXML2(_ root: PlistValue) throws(FuzzFailure) {
    let isPlain = String(validating: bytes, as: UTF8.self) != nil
    guard isPlain, !bytes.contains(0) else { return }
    let document = try attempt(
      { () throws(PlistError) in
        try PlistDocument(parsing: bytes + Array("<?a b?>".utf8), limits: Self.limits)
      }, allowing: [.encoding], "libxml2 refuses what was read without it")
    guard let document else { return }
    try require(document.root == root, "libxml2 reads another value")
  }

  /// What a reader makes of the bytes, which it must then write again.
  private func parse(_ strictness: ParseStrictness) throws(FuzzFailure) -> PlistDocument? {
    let document: PlistDocument
    do {
      document = try PlistDocument(parsing: bytes, limits: Self.limits, strictness: strictness)
    } catch {
      try ErrorCheck.check(error, in: bytes, Self.codes)
      return nil
    }
    try checkUnedited(document)
    return document
  }

  /// Bounds that no input which a fuzzer makes meets by its size alone.
  static let limits: ParseLimits = {
    var limits = ParseLimits.standard
    limits.expandedObjects = 100_000
    limits.expandedBytes = 8 << 20
    return limits
  }()

  private static let codes: Set<PlistError.Code> = [
    .unknownFormat, .truncated, .malformed, .encoding, .entity, .trailingBytes, .duplicateKey,
    .badReference, .badValue, .limit,
  ]

  /// A first look of its own, so that each fuzzer stays with its reader.
  private func looksLike(_ format: PlistFormat) -> Bool {
    let isBinary = bytes.starts(with: "bplist".utf8)
    guard !isBinary, format != .binary else { return isBinary && format == .binary }
    let first = bytes.first { !([0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 9, 10, 13, 32].contains($0)) }
    return (first == UInt8(ascii: "<")) == (format == .xml)
  }

  private func checkUnedited(_ document: PlistDocument) throws(FuzzFailure) {
    let written = try require("what was read cannot be written") { () throws(PlistError) in
      try document.serialized()
    }
    try require(written == bytes, "what was read is written as other bytes")
    for diagnostic in document.diagnostics {
      try ErrorCheck.check(sentence: diagnostic.detail)
      try ErrorCheck.check(diagnostic.location, in: bytes)
    }
  }

  private func checkPlaces(in document: PlistDocument) throws(FuzzFailure) {
    for path in document.root.paths(upTo: 20) {
      let place = document.location(of: path)
      try require(place != nil, "no place for the value at '\(path)'")
      try ErrorCheck.check(place, in: bytes)
    }
  }

  private func checkBounds(
    _ extent: (values: Int, depth: Int), of root: PlistValue
  ) throws(FuzzFailure) {
    // An archive's reference is a dictionary in XML.
    guard !root.holdsReference else { return }
    var limits = ParseLimits.standard
    limits.bytes = bytes.count
    limits.depth = extent.depth
    if format != .binary { limits.objects = extent.values }
    _ = try require("refused at just the bounds that it keeps") { () throws(PlistError) in
      try PlistDocument(parsing: bytes, limits: limits)
    }
    if extent.depth > 0, !isEmptyText {
      limits.depth -= 1
      try require(try isLimited(limits), "read beyond its depth of \(extent.depth)")
    }
    if format != .binary, extent.values > 1 {
      limits = .standard
      limits.objects = extent.values - 1
      try require(try isLimited(limits), "read beyond its \(extent.values) values")
    }
    limits = .standard
    limits.bytes = bytes.count - 1
    try require(try isLimited(limits), "read beyond its \(bytes.count) bytes")
  }

  /// Whether this is a `.strings` file without entries, for whose dictionary nothing stands.
  private var isEmptyText: Bool {
    format == .openStep && (try? PlistDocument(parsing: bytes))?.root == [:]
  }

  private func isLimited(_ limits: ParseLimits) throws(FuzzFailure) -> Bool {
    try attempt(
      { () throws(PlistError) in try PlistDocument(parsing: bytes, limits: limits) },
      allowing: [.limit], "another error than that of the bound") == nil
  }
}

extension PlistValue {
  fileprivate var holdsReference: Bool {
    switch self {
    case .uid: true
    case .dictionary(let dictionary): dictionary.entries.contains { $0.value.holdsReference }
    case .array(let items), .set(let items): items.contains(where: \.holdsReference)
    default: false
    }
  }
}
