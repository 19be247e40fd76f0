/// Works out which objects of a file have to change for its value to become another one.
///
/// An object that does not change keeps its index and its bytes. One that changes keeps its index
/// where nothing else leads to it, so that what refers to it need not change either; where something
/// else does, or where an equal leaf is there already, the container gets another reference and so
/// changes itself. What is new gets a provisional index from the file's object count on. The pairs of
/// repeated keys that did not count go when their dictionary changes; pairs whose key is no string
/// come to stand last in it.
struct BinaryEdit {
  let objects: BinaryObjects
  /// What now stands under an index of the file.
  private(set) var rewritten: [Int: BinaryNode] = [:]
  /// What is new.
  private(set) var pool: BinaryPool
  /// How many references the root's tree has to each object, 0 for one that it does not reach.
  let uses: [UInt8]

  private var size: PlistSize
  private var comparison = PlistComparison()
  private var knowsLeaves = false
  /// Where a value over an object that several containers share was put.
  private var placed: [SharedPlace: Int] = [:]

  private struct SharedPlace: Hashable {
    let index: Int
    let storage: UInt
  }

  init(_ objects: BinaryObjects, limits: ParseLimits) throws(PlistError) {
    self.objects = objects
    pool = BinaryPool(objects)
    size = PlistSize(limits: limits)
    uses = try objects.countUses()
  }

  /// Changes the root's value to `edited`.
  /// - Returns: whether anything differs.
  /// - Throws: ``PlistError`` with code `limit` where what is new is too deep or too large.
  mutating func reconcile(
    _ edited: PlistValue, with original: PlistValue
  ) throws(PlistError) -> Bool {
    let place = Place(index: objects.trailer.topObject, isOwned: true, depth: 0)
    _ = try put(edited, over: original, at: place)
    return !rewritten.isEmpty
  }

  /// Where a value stands.
  private struct Place {
    let index: Int
    /// Whether nothing but one way from the root leads here, as far as containers go.
    let isOwned: Bool
    let depth: Int
  }

  /// Puts a value where another one was, and returns the index it has now.
  private mutating func put(
    _ edited: PlistValue, over original: PlistValue, at place: Place
  ) throws(PlistError) -> Int {
    guard edited.containerKind == original.containerKind else {
      return try replace(original, with: edited, at: place)
    }
    guard edited.isContainer else {
      return edited == original ? place.index : try replace(original, with: edited, at: place)
    }
    guard let storage = edited.storage else {
      return original.storage == nil ? place.index : try update(original, to: edited, at: place)
    }
    if storage == original.storage { return place.index }
    guard !place.isOwned else { return try update(original, to: edited, at: place) }
    let key = SharedPlace(index: place.index, storage: storage)
    if let known = placed[key] { return known }
    let index = try update(original, to: edited, at: place)
    placed[key] = index
    return index
  }

  /// Puts a container over one of its kind.
  private mutating func update(
    _ original: PlistValue, to edited: PlistValue, at place: Place
  ) throws(PlistError) -> Int {
    let object = try objects.object(at: place.index)
    let old: [Int]
    let new: [Int]
    switch (original, edited) {
    case (.dictionary(let original), .dictionary(let edited)):
      let entries = try objects.entries(of: object, in: original)
      let hidden = entries.hidden
      old = entries.keys + hidden.map(\.key) + entries.values + hidden.map(\.value)
      let (keys, values) = try put(
        edited, over: original, with: (entries.keys, entries.values), in: place)
      new = keys + hidden.map(\.key) + values + hidden.map(\.value)
    case (.array(let original), .array(let edited)), (.set(let original), .set(let edited)):
      old = try objects.references(of: object)
      new = try put(edited, over: original, with: old, in: place)
    default: return place.index
    }
    if old == new { return place.index }
    guard place.isOwned else { return pool.add(object.kind, references: new) }
    rewritten[place.index] = pool.node(object.kind, references: new)
    return place.index
  }

  private mutating func put(
    _ edited: PlistDictionary, over original: PlistDictionary,
    with old: (keys: [Int], values: [Int]), in place: Place
  ) throws(PlistError) -> (keys: [Int], values: [Int]) {
    var matcher = KeyMatcher(original)
    var keys: [Int] = []
    var values: [Int] = []
    for entry in edited.entries {
      if let match = matcher.place(of: entry.key) {
        keys.append(old.keys[match])
        values.append(
          try put(
            entry.value, over: original.entries[match].value,
            at: inside(place, at: old.values[match])))
      } else {
        keys.append(try add(.string(entry.key), depth: place.depth + 1))
        values.append(try add(entry.value, depth: place.depth + 1))
      }
    }
    return (keys, values)
  }

  /// Items that are equal at both ends keep their objects, those between are taken in pairs.
  private mutating func put(
    _ edited: [PlistValue], over original: [PlistValue], with old: [Int], in place: Place
  ) throws(PlistError) -> [Int] {
    let common = min(edited.count, original.count)
    var head = 0
    var tail = 0
    if edited.count != original.count {
      while head < common, comparison.areEqual(edited[head], original[head]) { head += 1 }
      while tail < common - head,
        comparison.areEqual(
          edited[edited.count - 1 - tail], original[original.count - 1 - tail])
      {
        tail += 1
      }
    }
    var new = Array(old.prefix(head))
    for position in head..<(edited.count - tail) {
      if position < original.count - tail {
        new.append(
          try put(
            edited[position], over: original[position], at: inside(place, at: old[position])))
      } else {
        new.append(try add(edited[position], depth: place.depth + 1))
      }
    }
    return new + old.suffix(tail)
  }

  private func inside(_ place: Place, at index: Int) -> Place {
    Place(index: index, isOwned: place.isOwned && uses[index] == 1, depth: place.depth + 1)
  }

  /// Puts a leaf over anything, or anything over a leaf.
  private mutating func replace(
    _ original: PlistValue, with edited: PlistValue, at place: Place
  ) throws(PlistError) -> Int {
    try size.add(edited, depth: place.depth)
    try learnLeaves()
    let isRoot = place.index == objects.trailer.topObject
    let isFree = isRoot || place.isOwned && !pool.reused.contains(place.index)
    if !isFree || !isRoot && !edited.isContainer && pool.knows(edited) { return pool.add(edited) }
    if !original.isContainer { pool.forget(at: place.index) }
    if let kind = edited.containerKind {
      rewritten[place.index] = pool.node(kind, of: edited)
    } else {
      let leaf = BinaryNode.bytes(ofLeaf: edited)
      rewritten[place.index] = .leaf(leaf)
      pool.know(leaf, over: place.index)
    }
    return place.index
  }

  private mutating func add(_ value: PlistValue, depth: Int) throws(PlistError) -> Int {
    try size.add(value, depth: depth)
    try learnLeaves()
    return pool.add(value)
  }

  /// Makes the file's leaves known, except for those whose bytes say more than their value.
  private mutating func learnLeaves() throws(PlistError) {
    guard !knowsLeaves else { return }
    knowsLeaves = true
    for index in 0..<objects.count
    where uses[index] > 0 && (rewritten.isEmpty || rewritten[index] == nil) {
      let object = try objects.object(at: index)
      if !object.kind.isContainer { pool.know(object, at: index) }
    }
  }
}
