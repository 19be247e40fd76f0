/// The expressions of rules as one machine: a list of steps that ``PatternMatcher`` walks for all of them at
/// once.
///
/// It takes what signers write, the part of POSIX extended regular expressions that a walk in linear time
/// can match: characters, `.`, `[…]` with ranges and `^`, escaped characters, groups, `()`, `|`, `*`, `+`,
/// `?`, `^` and `$`. Counted repetitions, classes such as `[:alpha:]` and back references are not
/// understood. Expressions come from hostile files, so the C library's matcher is not used: with them its
/// memory and time have no bound.
struct PatternProgram {
  /// One step.
  enum Step {
    /// Goes on over a byte of this set.
    case byte(ByteSet)
    /// Goes on at both of these.
    case fork(Int, Int)
    /// Goes on there.
    case jump(Int)
    /// Goes on at the start of the path alone.
    case start
    /// Goes on at its end alone.
    case end
    /// The expression of this number is found.
    case found(Int)
  }

  /// The steps of all expressions.
  private(set) var steps: [Step] = []
  /// Where each expression that is understood begins.
  private(set) var entries: [Int] = []

  /// Adds an expression. False where it is not understood.
  mutating func add(_ pattern: String, number: Int) -> Bool {
    var parser = PatternParser(Array(pattern.utf8))
    guard let tree = parser.parse() else { return false }
    entries.append(steps.count)
    emit(tree)
    steps.append(.found(number))
    return true
  }

  /// Writes out an expression. It goes as deep as groups lie in one another, which the parser bounds.
  private mutating func emit(_ node: PatternNode) {
    switch node {
    case .set(let set): steps.append(.byte(set))
    case .start: steps.append(.start)
    case .end: steps.append(.end)
    case .sequence(let nodes): for node in nodes { emit(node) }
    case .choice(let nodes): emitChoice(nodes)
    case .repeated(let node, let least, let isMany): emitRepetition(node, least, isMany)
    }
  }

  private mutating func emitChoice(_ nodes: [PatternNode]) {
    var jumps: [Int] = []
    for (place, node) in nodes.enumerated() {
      guard place + 1 < nodes.count else {
        emit(node)
        break
      }
      let fork = steps.count
      steps.append(.fork(fork + 1, fork + 1))
      emit(node)
      jumps.append(steps.count)
      steps.append(.jump(0))
      steps[fork] = .fork(fork + 1, steps.count)
    }
    for jump in jumps { steps[jump] = .jump(steps.count) }
  }

  private mutating func emitRepetition(_ node: PatternNode, _ least: Int, _ isMany: Bool) {
    let first = steps.count
    if least == 0 { steps.append(.jump(0)) }
    let body = steps.count
    emit(node)
    if isMany {
      let fork = steps.count
      steps.append(.fork(body, fork + 1))
    }
    if least == 0 { steps[first] = .fork(body, steps.count) }
  }
}

/// A set of byte values.
struct ByteSet: Equatable {
  private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// No byte.
  init() {}

  /// All bytes.
  static let all = ByteSet().inverted

  /// Takes in a byte.
  mutating func insert(_ byte: UInt8) {
    let bit = UInt64(1) << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: bits.0 |= bit
    case 1: bits.1 |= bit
    case 2: bits.2 |= bit
    default: bits.3 |= bit
    }
  }

  /// Whether a byte is in it.
  func contains(_ byte: UInt8) -> Bool {
    let word =
      switch byte >> 6 {
      case 0: bits.0
      case 1: bits.1
      case 2: bits.2
      default: bits.3
      }
    return word >> UInt64(byte & 63) & 1 == 1
  }

  /// All others.
  var inverted: ByteSet {
    var copy = self
    copy.bits = (~bits.0, ~bits.1, ~bits.2, ~bits.3)
    return copy
  }

  static func == (a: ByteSet, b: ByteSet) -> Bool { a.bits == b.bits }
}

/// An expression as a tree.
indirect enum PatternNode {
  case set(ByteSet)
  case start
  case end
  case sequence([PatternNode])
  case choice([PatternNode])
  case repeated(PatternNode, least: Int, isMany: Bool)
}

/// Reads an expression, byte by byte.
struct PatternParser {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0
  /// Groups inside one another.
  private static let depthLimit = 32
  private static let special = Set("\\.[]()|*+?{}^$".utf8)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The tree, nil where the expression is wrong or not understood.
  mutating func parse() -> PatternNode? {
    guard let node = choice(), place == bytes.count else { return nil }
    return node
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func take(_ byte: Character) -> Bool {
    guard next == byte.asciiValue else { return false }
    place += 1
    return true
  }

  private mutating func choice() -> PatternNode? {
    var nodes: [PatternNode] = []
    repeat {
      guard let node = sequence() else { return nil }
      nodes.append(node)
    } while take("|")
    return nodes.count == 1 ? nodes[0] : .choice(nodes)
  }

  private mutating func sequence() -> PatternNode? {
    var nodes: [PatternNode] = []
    while let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
      guard let node = repetition() else { return nil }
      nodes.append(node)
    }
    // POSIX leaves an empty branch undefined, and macOS refuses an empty expression.
    return nodes.isEmpty ? nil : .sequence(nodes)
  }

  private mutating func repetition() -> PatternNode? {
    guard var node = atom() else { return nil }
    var count = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "*"): node = .repeated(node, least: 0, isMany: true)
      case UInt8(ascii: "+"): node = .repeated(node, least: 1, isMany: true)
      case UInt8(ascii: "?"): node = .repeated(node, least: 0, isMany: false)
      case UInt8(ascii: "{"): return nil
      default: return node
      }
      count += 1
      guard count < Self.depthLimit else { return nil }
      place += 1
    }
    return node
  }

  private mutating func atom() -> PatternNode? {
    guard let byte = next else { return nil }
    place += 1
    switch byte {
    case UInt8(ascii: "."): return .set(.all)
    case UInt8(ascii: "^"): return .start
    case UInt8(ascii: "$"): return .end
    case UInt8(ascii: "("): return group()
    case UInt8(ascii: "["): return set()
    case UInt8(ascii: "\\"):
      // A letter or digit behind it is a back reference or something of one system's own.
      guard let escaped = next, Self.special.contains(escaped) || isPlain(escaped) else {
        return nil
      }
      place += 1
      return single(escaped)
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"): return nil
    default: return single(byte)
    }
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E:
      byte != UInt8(ascii: "<")
        && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "`") && byte != UInt8(ascii: "'")
    case 0x20: true
    default: false
    }
  }

  private func single(_ byte: UInt8) -> PatternNode {
    var set = ByteSet()
    set.insert(byte)
    return .set(set)
  }

  private mutating func group() -> PatternNode? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { return nil }
    // Rules of apps from the App Store end alternatives with this, for no folder at all.
    if take(")") { return .sequence([]) }
    guard let node = choice(), take(")") else { return nil }
    return node
  }

  private mutating func set() -> PatternNode? {
    let isInverted = take("^")
    var set = ByteSet()
    var isFirst = true
    while let byte = next {
      place += 1
      if byte == UInt8(ascii: "]"), !isFirst { return .set(isInverted ? set.inverted : set) }
      isFirst = false
      // Classes, and characters of several bytes, which a set of bytes cannot hold.
      guard byte < 0x80 else { return nil }
      if byte == UInt8(ascii: "["), let mark = next, ":.=".utf8.contains(mark) { return nil }
      guard next == UInt8(ascii: "-"), place + 1 < bytes.count,
        bytes[place + 1] != UInt8(ascii: "]")
      else {
        set.insert(byte)
        continue
      }
      let last = bytes[place + 1]
      guard last < 0x80, last != UInt8(ascii: "["), byte <= last else { return nil }
      place += 2
      for value in byte...last { set.insert(value) }
    }
    return nil
  }
}
