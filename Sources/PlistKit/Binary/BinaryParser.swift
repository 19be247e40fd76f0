/// Builds the value of each object that the root reaches, once.
///
/// Only objects that several references may lead to are kept for the next one: a look at all
/// containers beforehand counts the references. The recursion goes as deep as the containers do, at
/// most 512 levels, for which half a megabyte of stack is enough.
struct BinaryParser: ~Copyable {
  private let objects: BinaryObjects
  private var limits: ParseLimits
  private let strictness: ParseStrictness

  private static let mostLevels = 512

  /// What is known of each object.
  private var states: [UInt32]
  private var kept: [Kept] = []
  private var keys: KeyTable
  /// The references to the keys of the last dictionary whose keys were checked: the next one often
  /// has the same.
  private var checkedKeys: UnsafeRawBufferPointer?
  /// The pairs of dictionaries that are read and not shown.
  private var extra: [Int: ExtraPairs] = [:]
  private var bytesRead = 0
  /// The most levels of containers that were met.
  private var deepest = 0
  private var notes = BinaryNotes()
  /// Where an error occurred, from the inside out.
  private var failure: [PlistKeyPath.Component] = []

  /// A built object that may be referred to again.
  private struct Kept {
    let value: PlistValue
    /// The levels of containers in it, 0 for a leaf.
    let height: Int32
  }

  /// Positions of pairs in a dictionary.
  private struct ExtraPairs {
    /// Those whose key was there before.
    var repeated: Set<Int> = []
    /// Those whose key is no string.
    var hidden: Set<Int> = []
  }

  /// States of an object; from `kept` on, it is the place in the list of those that are kept, from
  /// `key` on the number of a key.
  private enum State {
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
    states = objects.referenceCounts()
  }

  /// The root's value. An error carries the key path that was reached.
  mutating func parse() throws(PlistError) -> (PlistValue, [PlistDiagnostic]) {
    let top = objects.trailer.topObject
    do throws(PlistError) {
      let root = try value(of: top, depth: 0)
      if deepest > 128 {
        notes.add(
          .deep, at: objects.offset(of: top), "\(deepest) levels, and iOS reads at most 128")
      }
      return (root, notes.diagnostics)
    } catch {
      var error = error
      error.keyPath = PlistKeyPath(failure.reversed())
      throw error
    }
  }

  /// The value of an object below so many containers.
  @inline(__always)
  private mutating func value(of index: Int, depth: Int) throws(PlistError) -> PlistValue {
    let state = states[index]
    if state >= State.kept { return try keptValue(state, of: index, depth) }
    if let value = shortLeaf(at: objects.offset(of: index)) {
      if state == State.several { keep(value, of: index, height: 0) }
      return value
    }
    return try longValue(of: index, depth: depth)
  }

  /// A leaf of one of the common kinds, if nothing is wrong with it; nil for all else.
  @inline(__always)
  private mutating func shortLeaf(at offset: Int) -> PlistValue? {
    let bytes = objects.bytes
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    // What remains for the payload.
    let room = objects.trailer.tableOffset &- offset &- 1
    guard offset >= BinaryTrailer.headerSize, bytesRead < bytes.count else { return nil }
    switch marker >> 4 {
    case 0x5 where low < 15 && low <= room:
      let text = UnsafeRawBufferPointer(rebasing: bytes[(offset &+ 1)..<(offset &+ 1 &+ low)])
      guard !text.hasHighByte else { return nil }
      bytesRead &+= low &+ 1
      return .string(String(ascii: text))
    case 0x1 where low <= 3 && 1 &<< low <= room:
      let size = 1 &<< low
      bytesRead &+= size &+ 1
      let bits = bytes.bigEndian(at: offset &+ 1, size: size)
      return .integer(low == 3 ? PlistInteger(Int64(bitPattern: bits)) : PlistInteger(bits))
    case 0x0 where low == 8 || low == 9:
      bytesRead &+= 1
      return .boolean(low == 9)
    case 0x2 where low == 3 && 8 <= room:
      bytesRead &+= 9
      let bits = bytes.bigEndian(at: offset &+ 1, size: 8)
      return .real(PlistReal(Double(bitPattern: bits)))
    case 0x3 where low == 3 && 8 <= room:
      bytesRead &+= 9
      let bits = bytes.bigEndian(at: offset &+ 1, size: 8)
      return .date(PlistDate(secondsSince2001: Double(bitPattern: bits)))
    default: return nil
    }
  }

  /// What is needed for leaves alone stands apart, so that each level of the recursion takes little
  /// of the stack.
  @inline(never)
  private mutating func longValue(of index: Int, depth: Int) throws(PlistError) -> PlistValue {
    objects.isContainer(index)
      ? try container(index: index, depth: depth) : try longLeaf(index: index)
  }

  @inline(never)
  private mutating func longLeaf(index: Int) throws(PlistError) -> PlistValue {
    let object = try objects.object(at: index)
    try count(object)
    try checkKind(object)
    let (value, flaw) = try objects.leaf(object)
    if let flaw { try note(flaw, at: object.offset) }
    if states[index] == State.several { keep(value, of: index, height: 0) }
    return value
  }

  @inline(never)
  private mutating func keptValue(
    _ state: UInt32, of index: Int, _ depth: Int
  ) throws(PlistError) -> PlistValue {
    if state >= State.key { return .string(keys.text(Int(state & ~State.key))) }
    let place = Int(state - State.kept)
    let height = Int(kept[place].height)
    if height > 0 {
      guard depth + height <= limits.depth else { throw tooDeep(index) }
      deepest = max(deepest, depth + height)
    }
    return kept[place].value
  }

  @inline(never)
  private mutating func keep(_ value: PlistValue, of index: Int, height: Int) {
    states[index] = State.kept + UInt32(truncatingIfNeeded: kept.count)
    kept.append(Kept(value: value, height: Int32(truncatingIfNeeded: height)))
  }

  /// Objects may overlap, as in Core Foundation; what is read in all may not grow by that without
  /// bound.
  @inline(__always)
  private mutating func count(_ object: BinaryObject) throws(PlistError) {
    bytesRead += object.end - object.offset
    guard bytesRead <= 2 * objects.bytes.count else { throw overlaps(object) }
  }
}

// MARK: - Containers

extension BinaryParser {
  @inline(never)
  private mutating func container(index: Int, depth: Int) throws(PlistError) -> PlistValue {
    let object = try open(index, depth: depth)
    let outside = deepest
    deepest = depth + 1
    let value: PlistValue =
      switch object.kind {
      case .dictionary:
        .dictionary(
          PlistDictionary(uniqueEntries: try entries(of: object, index: index, depth: depth + 1)))
      case .set: .set(try items(of: object, depth: depth + 1))
      default: .array(try items(of: object, depth: depth + 1))
      }
    if states[index] == State.open { keep(value, of: index, height: deepest - depth) }
    deepest = max(deepest, outside)
    return value
  }

  /// Checks a container and, if others may refer to it, marks it as one that is being read.
  @inline(never)
  private mutating func open(_ index: Int, depth: Int) throws(PlistError) -> BinaryObject {
    guard states[index] != State.open else { throw insideItself(index) }
    let object = try objects.object(at: index)
    try count(object)
    try checkKind(object)
    guard depth < limits.depth else { throw tooDeep(index) }
    if states[index] == State.several { states[index] = State.open }
    return object
  }

  @inline(never)
  private mutating func items(
    of object: BinaryObject, depth: Int
  ) throws(PlistError) -> [PlistValue] {
    let objects = objects
    var items: [PlistValue] = []
    items.reserveCapacity(object.count)
    for position in 0..<object.count {
      let noted = notes.count
      do throws(PlistError) {
        let reference = try objects.reference(position, of: object)
        items.append(try value(of: reference, depth: depth))
      } catch {
        fail(below: .index(position))
        throw error
      }
      if notes.count != noted { notes.place(from: noted, inside: .index(position)) }
    }
    return items
  }

  @inline(never)
  private mutating func entries(
    of object: BinaryObject, index: Int, depth: Int
  ) throws(PlistError) -> [PlistDictionary.Entry] {
    let objects = objects
    let extra = try readKeys(of: object, index: index, depth: depth)
    var entries: [PlistDictionary.Entry] = []
    entries.reserveCapacity(object.count)
    for position in 0..<object.count {
      let noted = notes.count
      let state = states[try objects.reference(position, of: object)]
      var isHidden = false
      var isRepeated = false
      if let extra {
        isHidden = extra.hidden.contains(position)
        isRepeated = extra.repeated.contains(position)
      }
      let key = isHidden ? nil : keys.text(Int(state & ~State.key))
      do throws(PlistError) {
        let reference = try objects.reference(object.count + position, of: object)
        let value = try value(of: reference, depth: depth)
        if let key, !isRepeated {
          entries.append(PlistDictionary.Entry(key: key, value: value))
        }
      } catch {
        if let key { fail(below: .key(key)) }
        throw error
      }
      if notes.count != noted, let key { notes.place(from: noted, inside: .key(key)) }
    }
    return entries
  }
}

// MARK: - Keys

extension BinaryParser {
  /// Reads and checks all keys of a dictionary; then the state of each has its number.
  /// - Returns: the pairs that are not shown, if there are any.
  @inline(never)
  private mutating func readKeys(
    of object: BinaryObject, index: Int, depth: Int
  ) throws(PlistError) -> ExtraPairs? {
    let references = objects.keyReferences(of: object)
    if let checkedKeys, checkedKeys.isIdentical(to: references) { return nil }
    let objects = objects
    for position in 0..<object.count {
      let keyIndex = try objects.reference(position, of: object)
      let state = states[keyIndex]
      let known = state >= State.key ? Int(state & ~State.key) : try readKey(at: keyIndex)
      guard let key = known else {
        try hiddenKey(at: keyIndex, depth: depth)
        extra[index, default: ExtraPairs()].hidden.insert(position)
        continue
      }
      if !keys.isNew(key, in: index) {
        try repeatedKey(keys.text(key), at: keyIndex)
        extra[index, default: ExtraPairs()].repeated.insert(position)
      }
    }
    if let found = extra[index] { return found }
    checkedKeys = references
    return nil
  }

  /// The number of a key that was none before; nil for a leaf that is no string, if one may be a key.
  @inline(never)
  private mutating func readKey(at index: Int) throws(PlistError) -> Int? {
    let state = states[index]
    let number: Int
    if state >= State.kept {
      let value = kept[Int(state - State.kept)].value
      guard case .string(let text) = value else {
        guard strictness.allowsNonStringKeys, !value.isContainer else {
          throw wrongKey(value.typeName, at: index)
        }
        return nil
      }
      number = keys.number(of: text)
    } else {
      guard state != State.open else { throw insideItself(index) }
      let object = try objects.object(at: index)
      try checkKind(object)
      guard object.kind == .ascii || object.kind == .utf16 else {
        guard strictness.allowsNonStringKeys, !object.kind.isContainer else {
          throw wrongKey(object.kind.name, at: index)
        }
        return nil
      }
      try count(object)
      let bytes = objects.payload(of: object)
      if object.kind == .ascii, !bytes.hasHighByte {
        number = keys.number(ofASCII: bytes)
      } else {
        let (value, flaw) = try objects.leaf(object)
        if let flaw { try note(flaw, at: object.offset) }
        number = keys.number(of: value.string ?? "")
      }
    }
    states[index] = State.key | UInt32(truncatingIfNeeded: number)
    return number
  }

  @inline(never)
  private mutating func hiddenKey(at index: Int, depth: Int) throws(PlistError) {
    let state = states[index]
    let value =
      state >= State.kept
      ? kept[Int(state - State.kept)].value : try longValue(of: index, depth: depth)
    notes.add(
      .hiddenPair, at: objects.offset(of: index),
      "key is \(value.typeName), its pair is not shown")
  }

  @inline(never)
  private mutating func repeatedKey(_ key: String, at index: Int) throws(PlistError) {
    guard strictness.allowsDuplicateKeys else {
      failure.append(.key(key))
      throw PlistError(
        .duplicateKey, at: .offset(objects.offset(of: index)),
        detail: "key \(key.quoted) is in the dictionary twice")
    }
    notes.add(
      .duplicateKey, at: objects.offset(of: index),
      "key \(key.quoted) is in the dictionary twice, the first value counts")
    notes.place(from: notes.count - 1, inside: .key(key))
  }
}

// MARK: - Errors

extension BinaryParser {
  @inline(never)
  private mutating func fail(below step: PlistKeyPath.Component) { failure.append(step) }

  @inline(never)
  private func checkKind(_ object: BinaryObject) throws(PlistError) {
    switch object.kind {
    case .null, .set:
      guard strictness.allowsNullsAndSets else {
        throw PlistError(
          .malformed, at: .offset(object.offset),
          detail: "a \(object.kind.name) object, which XML cannot hold")
      }
    case .dictionary:
      guard object.count <= limits.pairs else {
        throw PlistError(
          .limit, at: .offset(object.offset),
          detail: "a dictionary of \(object.count) pairs, at most \(limits.pairs) are read")
      }
    default: break
    }
  }

  /// Notes what a leaf's bytes say beyond its value, unless it may not be.
  @inline(never)
  private mutating func note(_ flaw: BinaryLeafFlaw, at offset: Int) throws(PlistError) {
    switch flaw {
    case .highBytes where !strictness.allowsHighBytesInASCII:
      throw PlistError(
        .encoding, at: .offset(offset), detail: "ASCII string with bytes above 0x7F")
    case .unpairedSurrogate where !strictness.allowsUnpairedSurrogates:
      throw PlistError(
        .encoding, at: .offset(offset), detail: "UTF-16 with half of a surrogate pair")
    case .wideInteger where !strictness.allowsWideIntegers:
      throw PlistError(.badValue, at: .offset(offset), detail: "integer beyond 64 bits")
    default: notes.add(flaw, at: offset)
    }
  }

  @inline(never)
  private func insideItself(_ index: Int) -> PlistError {
    PlistError(
      .badReference, at: .offset(objects.offset(of: index)),
      detail: "object \(index) is inside itself")
  }

  @inline(never)
  private func tooDeep(_ index: Int) -> PlistError {
    PlistError(
      .limit, at: .offset(objects.offset(of: index)),
      detail: "more than \(limits.depth) levels of containers")
  }

  @inline(never)
  private func overlaps(_ object: BinaryObject) -> PlistError {
    PlistError(
      .limit, at: .offset(object.offset),
      detail: "objects overlap and come to more than twice the file's bytes")
  }

  @inline(never)
  private func wrongKey(_ type: String, at index: Int) -> PlistError {
    PlistError(
      .malformed, at: .offset(objects.offset(of: index)),
      detail: "key is \(type) (object \(index)), not a string")
  }
}
