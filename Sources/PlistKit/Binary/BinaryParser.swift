/// Builds the value of each object that the root reaches, once.
///
/// Only objects that several references may lead to are kept for the next one: a look at all
/// containers beforehand counts the references. Nothing recurses: a container that is being read is
/// a frame on one stack, and its finished items wait on another until they are moved into it.
struct BinaryParser: ~Copyable {
  let objects: BinaryObjects
  private(set) var limits: ParseLimits
  let strictness: ParseStrictness

  private static let mostLevels = 512

  /// What is known of each object.
  var states: [UInt32]
  /// The objects that may be referred to again.
  private(set) var kept = MoveStack<Kept>()
  var keys: KeyTable
  /// The references to the keys of the last dictionary whose keys were checked: the next one often
  /// has the same.
  var checkedKeys: UnsafeRawBufferPointer?
  /// The pairs of dictionaries that are read and not shown.
  var extra: [Int: ExtraPairs] = [:]
  var bytesRead = 0
  var notes = BinaryNotes()

  /// The containers that are being read, each inside the one before.
  private var frames = MoveStack<BinaryFrame>()
  /// Which item of the innermost one, or which pair's value, is being read.
  private var position = 0
  /// The items of the arrays and sets among them.
  private var items = MoveStack<PlistValue>()
  /// The entries of the dictionaries among them.
  private var entries: MoveStack<PlistDictionary.Entry>
  /// The most levels of containers that were met since the innermost one was opened.
  private var deepest = 0

  /// A built object that may be referred to again.
  struct Kept {
    let value: PlistValue
    /// The levels of containers in it, 0 for a leaf.
    let height: Int32
  }

  /// Positions of pairs in a dictionary.
  struct ExtraPairs {
    /// Those whose key was there before.
    var repeated: Set<Int> = []
    /// Those whose key is no string.
    var hidden: Set<Int> = []
  }

  /// States of an object; from `kept` on, it is the place in the list of those that are kept, from
  /// `key` on the number of a key.
  enum State {
    static let several = ReferenceCount.several
    /// A container whose items are being read.
    static let open: UInt32 = 2
    static let kept: UInt32 = 4
    static let key: UInt32 = 1 << 31
  }

  init(
    _ objects: BinaryObjects, limits: ParseLimits, strictness: ParseStrictness,
    hash: ByteHash = ByteHash()
  ) {
    self.objects = objects
    self.limits = limits
    self.limits.depth = min(limits.depth, Self.mostLevels)
    self.strictness = strictness
    keys = KeyTable(hash: hash)
    entries = MoveStack(capacity: min(max(32, objects.bytes.count / 16), 1 << 15))
    states = objects.referenceCounts()
  }

  /// The root's value. An error carries the key path that was reached.
  mutating func parse() throws(PlistError) -> (PlistValue, [PlistDiagnostic]) {
    let top = objects.trailer.topObject
    do throws(PlistError) {
      let root = try build(top)
      if deepest > 128 {
        notes.add(
          .deep, at: objects.offset(of: top), in: .root,
          "\(deepest) levels, and iOS reads at most 128")
      }
      return (root, notes.diagnostics)
    } catch {
      var error = error
      if error.keyPath == nil { error.keyPath = path }
      throw error
    }
  }
}

/// A container that is being read.
struct BinaryFrame {
  let object: BinaryObject
  let index: Int
  /// How many items or entries of the containers around it wait on the same stack.
  let start: Int
  /// The most levels that were met before it was opened.
  let outside: Int
  /// Whether some of its pairs are not shown.
  let hasExtra: Bool
  /// Where the frame around it was.
  let position: Int
}

// MARK: - Containers

extension BinaryParser {
  private mutating func build(_ top: Int) throws(PlistError) -> PlistValue {
    if let leaf = try leaf(at: top) { return leaf }
    try open(top)
    while true {
      let inner = frames.top.object.kind == .dictionary ? try readValues() : try readItems()
      if let inner {
        try open(inner)
        continue
      }
      let value = close()
      guard frames.count > 0 else { return value }
      let frame = frames.top
      if frame.object.kind == .dictionary {
        append(value, of: frame)
      } else {
        items.push(value)
      }
      position += 1
    }
  }

  /// Checks a container and makes it the innermost one that is being read.
  @inline(never)
  private mutating func open(_ index: Int) throws(PlistError) {
    let state = states[index]
    guard state != State.open else { throw insideItself(index) }
    let object = try objects.object(at: index)
    try count(object)
    try checkKind(object)
    guard frames.count < limits.depth else { throw tooDeep(index) }
    if state == State.several { states[index] = State.open }
    let isDictionary = object.kind == .dictionary
    let hasExtra = isDictionary ? try readKeys(of: object, index: index) : false
    frames.push(
      BinaryFrame(
        object: object, index: index, start: isDictionary ? entries.count : items.count,
        outside: deepest, hasExtra: hasExtra, position: position))
    position = 0
    deepest = frames.count
  }

  /// Moves what waits for the innermost container into it.
  private mutating func close() -> PlistValue {
    let frame = frames.top
    frames.drop(from: frames.count - 1)
    position = frame.position
    let value: PlistValue =
      switch frame.object.kind {
      case .dictionary:
        .dictionary(PlistDictionary(uniqueEntries: entries.takeArray(from: frame.start)))
      case .set: .set(items.takeArray(from: frame.start))
      default: .array(items.takeArray(from: frame.start))
      }
    if states[frame.index] == State.open {
      keep(value, of: frame.index, height: deepest - frames.count)
    }
    deepest = max(deepest, frame.outside)
    return value
  }

  /// Reads the items of the innermost container up to the next container.
  /// - Returns: the index of that container, nil at the end.
  @inline(never)
  private mutating func readItems() throws(PlistError) -> Int? {
    let objects = objects
    let frame = frames.top
    while position < frame.object.count {
      let index = try objects.reference(position, of: frame.object)
      guard let value = try leaf(at: index) else { return index }
      items.push(value)
      position &+= 1
    }
    return nil
  }

  /// Reads the values of the innermost dictionary up to the next container.
  /// - Returns: the index of that container, nil at the end.
  @inline(never)
  private mutating func readValues() throws(PlistError) -> Int? {
    let objects = objects
    let frame = frames.top
    while position < frame.object.count {
      let index = try objects.reference(frame.object.count &+ position, of: frame.object)
      guard let value = try leaf(at: index) else { return index }
      append(value, of: frame)
      position &+= 1
    }
    return nil
  }

  /// Appends the pair of a dictionary whose value was read.
  @inline(__always)
  private mutating func append(_ value: consuming PlistValue, of frame: BinaryFrame) {
    if frame.hasExtra, !isShown(position, of: frame.index) { return }
    entries.push(
      PlistDictionary.Entry(key: keys.text(keyNumber(position, of: frame.object)), value: value))
  }

  @inline(never)
  private func isShown(_ position: Int, of index: Int) -> Bool {
    guard let extra = extra[index] else { return true }
    return !extra.hidden.contains(position) && !extra.repeated.contains(position)
  }

  /// The number of a key of a dictionary whose keys were read.
  @inline(__always)
  private func keyNumber(_ position: Int, of object: BinaryObject) -> Int {
    let reference = objects.uncheckedReference(position, from: object.payload)
    return Int(states[Int(truncatingIfNeeded: reference)] & ~State.key)
  }

  /// The way to what is being read.
  var path: PlistKeyPath {
    var steps: [PlistKeyPath.Component] = []
    for depth in 0..<frames.count {
      let frame = frames[depth]
      let position = depth + 1 < frames.count ? frames[depth + 1].position : position
      if frame.object.kind != .dictionary {
        steps.append(.index(position))
      } else if extra[frame.index]?.hidden.contains(position) != true {
        steps.append(.key(keys.text(keyNumber(position, of: frame.object))))
      }
    }
    return PlistKeyPath(steps)
  }
}

// MARK: - Objects that are built already

extension BinaryParser {
  @inline(__always)
  mutating func keptValue(_ state: UInt32, of index: Int) throws(PlistError) -> PlistValue {
    if state >= State.key { return .string(keys.text(Int(state & ~State.key))) }
    let known = kept[Int(state &- State.kept)]
    if known.height > 0 { try enter(index, height: Int(known.height)) }
    return known.value
  }

  @inline(never)
  private mutating func enter(_ index: Int, height: Int) throws(PlistError) {
    guard frames.count + height <= limits.depth else { throw tooDeep(index) }
    deepest = max(deepest, frames.count + height)
  }

  @inline(never)
  mutating func keep(_ value: PlistValue, of index: Int, height: Int) {
    states[index] = State.kept + UInt32(truncatingIfNeeded: kept.count)
    kept.push(Kept(value: value, height: Int32(truncatingIfNeeded: height)))
  }

  /// Objects may overlap, as in Core Foundation; what is read in all may not grow by that without
  /// bound.
  @inline(__always)
  mutating func count(_ object: BinaryObject) throws(PlistError) {
    bytesRead += object.end - object.offset
    guard bytesRead <= 2 * objects.bytes.count else { throw overlaps(object) }
  }
}
