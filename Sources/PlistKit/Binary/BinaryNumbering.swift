/// Numbers the objects of a new file: each container before its items, a dictionary's keys before its
/// values, equal leaves once.
///
/// Leaves are written at once, one after the other. Two are equal if their bytes are, so the bytes of
/// a leaf are written at the end, looked for in a table, and taken away again where they are known.
struct BinaryNumbering: ~Copyable {
  /// The bytes of all leaves in their order.
  private(set) var leaves = ByteBuffer()
  /// For each object where its leaf starts, or `container`.
  private(set) var starts: [Int] = []
  /// The containers in their order.
  private(set) var containers: [Container] = []
  /// The references of all containers, a stretch for each in their order.
  private(set) var references: [UInt32] = []

  static let container = -1

  struct Container {
    let kind: BinaryKind
    /// How many references it holds.
    let references: Int
    /// How many bytes of leaves come before it.
    let leafBytes: Int
  }

  /// The keys of the last dictionary, and where the references to them are.
  private struct LastKeys {
    let entries: [PlistDictionary.Entry]
    let place: Int
    let areASCII: Bool
  }

  private var table = HashIndex()
  private var hash: ByteHash
  /// The objects of 0 to 255, false, true and null, 0 where there is none yet: the root is none.
  private var small = [UInt32](repeating: 0, count: 259)
  private var seen = SeenTexts()
  private var lastKeys = LastKeys(entries: [], place: 0, areASCII: false)
  private var values = 0
  private var textBytes = 0
  private let limits: ParseLimits

  init(limits: ParseLimits, hash: ByteHash = ByteHash()) {
    self.limits = limits
    self.hash = hash
  }

  /// How many steps the searches for leaves took.
  var steps: Int { table.steps }

  /// Numbers a value below so many containers and what it holds.
  /// - Returns: its number.
  /// - Throws: ``PlistError`` with code `limit`, as ``PlistSize`` does.
  mutating func add(_ value: PlistValue, depth: Int) throws(PlistError) -> UInt32 {
    values += 1
    try checkSize()
    switch value {
    case .string(let text): return add(text)
    case .dictionary(let dictionary): return try add(dictionary.entries, depth: depth)
    case .array(let items): return try add(items, .array, depth: depth)
    case .set(let items): return try add(items, .set, depth: depth)
    case .integer(let number): return add(number)
    case .boolean(let value): return add(small: value ? 257 : 256, marker: value ? 0x09 : 0x08)
    case .null: return add(small: 258, marker: 0x00)
    case .real(let number): return add(number.bits, salt: 2) { $0.append(real: number) }
    case .date(let date):
      return add(date.secondsSince2001.bitPattern, salt: 3) { $0.append(date: date) }
    case .uid(let number): return add(UInt64(number), salt: 4) { $0.append(uid: number) }
    case .data(let data):
      textBytes += data.count
      let start = leaves.count
      leaves.append(data: data)
      return enter(from: start, data.withUnsafeBytes { hash($0, salt: 5) })
    }
  }
}

// MARK: - Containers

extension BinaryNumbering {
  /// Holds what was numbered so far to the limits.
  func checkSize() throws(PlistError) {
    guard values <= limits.expandedObjects, textBytes <= limits.expandedBytes else {
      throw PlistSize.tooLarge(limits)
    }
  }

  private mutating func add(
    _ items: [PlistValue], _ kind: BinaryKind, depth: Int
  ) throws(PlistError) -> UInt32 {
    let number = try open(kind, references: items.count, depth: depth)
    let place = references.count - items.count
    for index in items.indices {
      references[place + index] = try add(items[index], depth: depth + 1)
    }
    return number
  }

  private mutating func add(
    _ entries: [PlistDictionary.Entry], depth: Int
  ) throws(PlistError) -> UInt32 {
    let number = try open(.dictionary, references: 2 * entries.count, depth: depth)
    let place = references.count - 2 * entries.count
    addKeys(entries, at: place)
    for index in entries.indices {
      references[place + entries.count + index] = try add(entries[index].value, depth: depth + 1)
    }
    return number
  }

  /// Dictionaries that follow one another often have the same keys.
  private mutating func addKeys(_ entries: [PlistDictionary.Entry], at place: Int) {
    let isLike = lastKeys.areASCII && lastKeys.entries.count == entries.count
    var areASCII = true
    for index in entries.indices {
      let key = entries[index].key
      // No other text of that many bytes is equal to one in ASCII, canonical equivalence or not.
      if isLike, key == lastKeys.entries[index].key,
        key.utf8.count == lastKeys.entries[index].key.utf8.count
      {
        textBytes += key.utf8.count
        references[place + index] = references[lastKeys.place + index]
      } else {
        references[place + index] = add(key)
        areASCII = areASCII && key.withUTF8Bytes { !$0.hasHighByte }
      }
    }
    lastKeys = LastKeys(entries: entries, place: place, areASCII: areASCII)
  }

  private mutating func open(
    _ kind: BinaryKind, references count: Int, depth: Int
  ) throws(PlistError) -> UInt32 {
    guard depth < limits.depth else { throw PlistSize.tooDeep(limits) }
    let number = UInt32(truncatingIfNeeded: starts.count)
    starts.append(Self.container)
    containers.append(Container(kind: kind, references: count, leafBytes: leaves.count))
    references.append(contentsOf: repeatElement(0, count: count))
    return number
  }
}

// MARK: - Leaves

extension BinaryNumbering {
  private mutating func add(_ text: String) -> UInt32 {
    let place = seen.place(of: text)
    if let number = seen.number(at: place, for: text) {
      textBytes += text.utf8.count
      return number
    }
    let number = addUnseen(text)
    seen.enter(number, at: place, for: text)
    return number
  }

  private mutating func addUnseen(_ text: String) -> UInt32 {
    text.withUTF8Bytes { bytes in
      textBytes += bytes.count
      let start = leaves.count
      let payload = leaves.append(text: bytes)
      let code = leaves.withBytes(in: payload..<leaves.count) { hash($0, salt: 6) }
      return enter(from: start, code)
    }
  }

  private mutating func add(_ number: PlistInteger) -> UInt32 {
    if !number.isNegative, number.bits < 256 {
      let start = leaves.count
      let known = small[Int(number.bits)]
      if known != 0 { return known }
      leaves.append(0x10)
      leaves.append(UInt8(number.bits))
      return new(small: Int(number.bits), from: start)
    }
    return add(number.bits, salt: number.isNegative ? 1 : 0) { $0.append(integer: number) }
  }

  private mutating func add(small place: Int, marker: UInt8) -> UInt32 {
    if small[place] != 0 { return small[place] }
    let start = leaves.count
    leaves.append(marker)
    return new(small: place, from: start)
  }

  private mutating func new(small place: Int, from start: Int) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: starts.count)
    starts.append(start)
    small[place] = number
    return number
  }

  @inline(__always)
  private mutating func add(
    _ bits: UInt64, salt: UInt64, _ append: (inout ByteBuffer) -> Void
  ) -> UInt32 {
    let start = leaves.count
    append(&leaves)
    return enter(from: start, hash(bits, salt: salt))
  }

  /// Numbers the leaf that was written from `start` on, or takes it away where it is known.
  @inline(__always)
  private mutating func enter(from start: Int, _ code: UInt64) -> UInt32 {
    let number = starts.count
    let length = leaves.count - start
    let code =
      hash.isStandard ? leaves.withBytes(in: start..<leaves.count) { hash($0, salt: 0) } : code
    let known = table.find(code, orEnter: number) { known in
      leaves.endRepeats(starts[known], length: length)
    }
    if known == nil { starts.append(start) } else { leaves.truncate(to: start) }
    if table.isDegenerate { rehash() }
    return UInt32(truncatingIfNeeded: known ?? number)
  }

  /// Enters all leaves anew by the hash of their bytes that the standard library makes.
  @inline(never)
  private mutating func rehash() {
    guard !hash.isStandard else { return }
    hash.useStandard()
    table = HashIndex()
    var end = leaves.count
    for (number, start) in starts.enumerated().reversed() where start != Self.container {
      let code = leaves.withBytes(in: start..<end) { hash($0, salt: 0) }
      _ = table.find(code, orEnter: number) { _ in false }
      end = start
    }
  }
}
