/// Builds the value of OpenStep text with a stack of its own instead of recursion.
struct OpenStepParser {
  private var scanner: OpenStepScanner
  private let limits: ParseLimits
  private let strictness: ParseStrictness
  private var stack: [Frame] = []
  private var values = 0
  private var isDeep = false
  private(set) var notes = TextNotes()

  private typealias Parsed = (value: PlistValue, source: OpenStepSource)

  /// A container that is being read.
  private struct Frame {
    enum Kind { case dictionary, strings, array }
    let kind: Kind
    var source: OpenStepSource
    var items: [PlistValue] = []
    var entries: [PlistDictionary.Entry] = []
    var places: [ExactText: Int] = [:]
    var key: String?
    /// Where the key stood before in the dictionary.
    var place: Int?

    var value: PlistValue {
      kind == .array ? .array(items) : .dictionary(PlistDictionary(uniqueEntries: entries))
    }
  }

  init(_ text: [UInt8], limits: ParseLimits, strictness: ParseStrictness) {
    scanner = OpenStepScanner(text, strictness: strictness)
    self.limits = limits
    self.strictness = strictness
  }

  /// The value, and where its parts stand.
  mutating func parse() throws(PlistError) -> (PlistValue, OpenStepSource) {
    do throws(PlistError) {
      return try parseDocument()
    } catch {
      var error = error
      if error.keyPath == nil { error.keyPath = path }
      throw error
    }
  }

  private mutating func parseDocument() throws(PlistError) -> Parsed {
    try scanner.skipSpace()
    switch scanner.next {
    case nil:
      guard strictness.allowsBlankText, !scanner.text.isEmpty else {
        throw scanner.error(.unknownFormat, "white space and comments alone")
      }
      return ([:], OpenStepSource(offset: scanner.place))
    case UInt8(ascii: "{"): try open(.dictionary)
    case UInt8(ascii: "("): try open(.array)
    case UInt8(ascii: "<"):
      let source = OpenStepSource(offset: scanner.place)
      return try atEnd((.data(try scanner.data()), source))
    default:
      if let string = try stringAlone() { return string }
      try open(.strings)
    }
    return try atEnd(try run())
  }

  /// The root, where nothing follows it.
  private mutating func atEnd(_ root: Parsed) throws(PlistError) -> Parsed {
    try scanner.skipSpace()
    guard scanner.isAtEnd else {
      throw scanner.error(.trailingBytes, "text after the end of the property list")
    }
    return root
  }

  /// The string that is the whole text, or nil at the first key of a `.strings` file.
  private mutating func stringAlone() throws(PlistError) -> Parsed? {
    let start = scanner.place
    let isQuoted = scanner.isAtQuote
    guard isQuoted || scanner.isAtWord else {
      throw scanner.error(.unknownFormat, "neither XML nor binary nor OpenStep text")
    }
    let text = try string()
    try scanner.skipSpace()
    switch scanner.next {
    case nil where isQuoted || strictness.allowsBareWord:
      return (.string(text), OpenStepSource(offset: start))
    case UInt8(ascii: "="), UInt8(ascii: ";"):
      scanner.place = start
      return nil
    default:
      throw scanner.error(
        .unknownFormat, at: start,
        isQuoted
          ? "after a quoted string comes neither '=' nor the end"
          : "neither XML nor binary, and a word without quotes is no property list")
    }
  }

  /// Reads until the outermost container is closed.
  private mutating func run() throws(PlistError) -> Parsed {
    while let last = stack.indices.last {
      try scanner.skipSpace()
      let kind = stack[last].kind
      if try close(kind) {
        let frame = stack.removeLast()
        let done = (frame.value, frame.source)
        guard !stack.isEmpty else { return done }
        try accept(done)
      } else if kind == .array {
        if let leaf = try value() { try accept(leaf) }
      } else {
        try entry()
      }
    }
    throw scanner.error(.malformed, "no value")
  }

  /// Steps over the end of a container, if it is next.
  private mutating func close(_ kind: Frame.Kind) throws(PlistError) -> Bool {
    switch kind {
    case .strings:
      if scanner.isAtEnd { return true }
      guard strictness.allowsTrailingBytes, !scanner.isAtQuote, !scanner.isAtWord else {
        return false
      }
      note(.surroundingBytes, at: scanner.place, "text after the end of the property list")
      scanner.place = scanner.text.count
      return true
    case .dictionary: return try scanner.take("}", orEndIn: "a dictionary")
    case .array: return try scanner.take(")", orEndIn: "an array")
    }
  }

  /// Reads a key and, if it is a leaf, its value: `key = value;`, or `key;` for a value that is the
  /// key.
  private mutating func entry() throws(PlistError) {
    let start = scanner.place
    let key = try string()
    let last = stack.count - 1
    stack[last].key = key
    stack[last].place = stack[last].places[ExactText(key)]
    if stack[last].place != nil, !strictness.allowsDuplicateKeys {
      throw scanner.error(.duplicateKey, at: start, "key \(key.quoted) is in the dictionary twice")
    }
    try scanner.skipSpace()
    if scanner.next == UInt8(ascii: ";") {
      try accept((.string(key), OpenStepSource(offset: start)))
      return
    }
    guard scanner.take("=") else {
      throw scanner.unexpected("after a key comes neither '=' nor ';'")
    }
    try scanner.skipSpace()
    if let leaf = try value() { try accept(leaf) }
  }

  /// Reads a leaf, or opens a container and returns nil.
  private mutating func value() throws(PlistError) -> Parsed? {
    let source = OpenStepSource(offset: scanner.place)
    switch scanner.next {
    case UInt8(ascii: "{"):
      try open(.dictionary)
      return nil
    case UInt8(ascii: "("):
      try open(.array)
      return nil
    case UInt8(ascii: "<"): return (.data(try scanner.data()), source)
    default: return (.string(try string()), source)
    }
  }

  private mutating func open(_ kind: Frame.Kind) throws(PlistError) {
    try count()
    guard stack.count < limits.depth else {
      throw scanner.error(.limit, "more than \(limits.depth) levels of containers")
    }
    if stack.count == 128, !isDeep {
      isDeep = true
      note(.deep, at: scanner.place, "more than the 128 levels that iOS reads")
    }
    stack.append(Frame(kind: kind, source: OpenStepSource(offset: scanner.place)))
    if kind != .strings { scanner.place += 1 }
  }

  /// Puts a value into the container on top of the stack, and steps over what ends it there.
  private mutating func accept(_ parsed: Parsed) throws(PlistError) {
    let last = stack.count - 1
    if !parsed.value.isContainer { try count() }
    try scanner.skipSpace()
    guard let key = stack[last].key else {
      stack[last].items.append(parsed.value)
      stack[last].source.children.append(parsed.source)
      if !scanner.take(","), scanner.next != UInt8(ascii: ")") {
        throw scanner.unexpected("after an item comes neither ',' nor ')'")
      }
      return
    }
    guard scanner.take(";") else { throw scanner.unexpected("after a value comes no ';'") }
    if let place = stack[last].place {
      if !notes.isFull {
        note(
          .duplicateKey, at: parsed.source.offset,
          "key \(key.quoted) is in the dictionary twice, the last value counts")
      }
      stack[last].entries[place].value = parsed.value
      stack[last].source.children[place] = parsed.source
    } else {
      guard stack[last].entries.count < limits.pairs else {
        throw scanner.error(.limit, "a dictionary of more than \(limits.pairs) pairs")
      }
      stack[last].places[ExactText(key)] = stack[last].entries.count
      stack[last].entries.append(PlistDictionary.Entry(key: key, value: parsed.value))
      stack[last].source.children.append(parsed.source)
    }
    stack[last].key = nil
  }

  private mutating func count() throws(PlistError) {
    values += 1
    guard values <= limits.objects else {
      throw scanner.error(.limit, "more than \(limits.objects) values")
    }
  }

  private mutating func string() throws(PlistError) -> String {
    let start = scanner.place
    let (text, isUnpaired) = try scanner.string()
    if isUnpaired {
      guard strictness.allowsUnpairedSurrogates else {
        throw scanner.error(.encoding, at: start, "an escape for half of a surrogate pair")
      }
      note(
        .unpairedSurrogate, at: start, "an escape for half of a surrogate pair, shown as U+FFFD")
    }
    return text
  }

  private mutating func note(_ code: PlistDiagnostic.Code, at place: Int, _ detail: String) {
    guard !notes.isFull else { return }
    notes.add(code, at: place, keyPath: path, detail)
  }

  private var path: PlistKeyPath {
    PlistKeyPath(
      stack.compactMap { frame in
        frame.kind == .array ? .index(frame.items.count) : frame.key.map { .key($0) }
      })
  }
}
