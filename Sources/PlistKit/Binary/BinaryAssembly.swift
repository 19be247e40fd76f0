/// Puts an edited file together.
///
/// What did not change keeps its bytes, offset and index. New objects take the indexes of removed
/// ones first. What stands under an old index takes the old place if it is as long as what stood
/// there; all else comes after the old objects. The bytes that no object needs any more are set to
/// zero (a removed value must not live on in the file), or cut off where they are the last ones. An
/// index that stays without an object gets a null that nothing refers to.
///
/// Only where a reference of the old width cannot number the objects are all objects laid out anew,
/// in their order, with wider references.
struct BinaryAssembly {
  private let objects: BinaryObjects
  private let rewritten: [Int: BinaryNode]
  private let pool: BinaryPool
  /// The pool's references as final indexes.
  private let references: [Int]
  /// The final index of each node of the pool.
  private let indexOfNode: [Int]
  /// Indexes whose object was removed and that no new one took.
  private let vacant: [Int]
  /// Indexes whose object was removed.
  private let removed: [Int]
  private let count: Int

  /// - Throws: never for a file that was parsed.
  init(_ edit: BinaryEdit) throws(PlistError) {
    objects = edit.objects
    rewritten = edit.rewritten
    pool = edit.pool
    let old = objects.count
    let isLive = try Self.live(edit)
    removed = (0..<old).filter { edit.uses[$0] > 0 && !isLive[$0] }
    let nodes = pool.nodes.count
    let taken = removed.prefix(nodes)
    indexOfNode = Array(taken) + (old..<(old + nodes - taken.count))
    var vacant = Array(removed.dropFirst(nodes))
    var count = old + nodes - taken.count
    while let last = vacant.last, last == count - 1 {
      vacant.removeLast()
      count -= 1
    }
    self.vacant = vacant
    self.count = count
    let indexes = indexOfNode
    references = pool.references.map { $0 < old ? $0 : indexes[$0 - old] }
  }

  /// The bytes of the edited file.
  func bytes() throws(PlistError) -> [UInt8] {
    let trailer = objects.trailer
    let isWideEnough = BinaryTrailer.width(trailer.referenceSize, exceeds: UInt64(count))
    var (writer, offsets) = isWideEnough ? patched() : relaid()
    let table = writer.bytes.count
    let end = objects.bytes.count - BinaryTrailer.size
    writer.appendTable(
      offsets,
      offsetSize: BinaryTrailer.width(trailer.offsetSize, exceeds: UInt64(table))
        ? trailer.offsetSize : BinaryTrailer.width(for: table),
      topObject: trailer.topObject,
      unexplained: Array(objects.bytes[trailer.tableEnd..<end]),
      unused: Array(objects.bytes[end..<(end + 6)]))
    return writer.bytes
  }

  /// Which objects of the file the edited root reaches.
  private static func live(_ edit: BinaryEdit) throws(PlistError) -> [Bool] {
    let objects = edit.objects
    var isLive = [Bool](repeating: false, count: objects.count)
    var isRewritten = isLive
    for index in edit.rewritten.keys { isRewritten[index] = true }
    var stack: [Int] = []
    func reach(_ index: Int) {
      guard index < objects.count, !isLive[index] else { return }
      isLive[index] = true
      if objects.isContainer(index) || isRewritten[index] { stack.append(index) }
    }
    for node in edit.pool.nodes {
      if case .container(_, let range) = node { edit.pool.references[range].forEach(reach) }
    }
    reach(objects.trailer.topObject)
    while let index = stack.popLast() {
      if isRewritten[index] {
        if case .container(_, let range) = edit.rewritten[index] {
          edit.pool.references[range].forEach(reach)
        }
        continue
      }
      let object = try objects.object(at: index)
      for position in 0..<object.referenceCount {
        reach(try objects.reference(position, of: object))
      }
    }
    return isLive
  }
}

// MARK: - The old objects in their places

extension BinaryAssembly {
  /// The old objects with what changed put over them or after them.
  private func patched() -> (BinaryWriter, offsets: [Int]) {
    let trailer = objects.trailer
    var writer = BinaryWriter(
      bytes: Array(objects.bytes[..<trailer.tableOffset]), referenceSize: trailer.referenceSize)
    var offsets = (0..<objects.count).map(objects.offset(of:))
    var dead = extentsAlone()
    var moved: [(index: Int, bytes: [UInt8])] = []
    let changed = rewritten.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    for (index, node) in changed + zip(indexOfNode, pool.nodes).map({ ($0, $1) }) {
      var one = BinaryWriter(bytes: [], referenceSize: trailer.referenceSize)
      one.append(node, references: references)
      if let extent = dead[index], extent.count == one.bytes.count {
        writer.bytes.replaceSubrange(extent, with: one.bytes)
        dead[index] = nil
      } else {
        moved.append((index, one.bytes))
      }
    }
    for extent in dead.values.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      if extent.upperBound == writer.bytes.count {
        writer.bytes.removeLast(extent.count)
      } else {
        writer.bytes.replaceSubrange(extent, with: repeatElement(0, count: extent.count))
      }
    }
    offsets.append(contentsOf: repeatElement(0, count: max(0, count - objects.count)))
    offsets.removeLast(offsets.count - count)
    let end = writer.bytes.count
    for index in vacant where offsets[index] >= end { offsets[index] = end }
    // One zero byte is a null for all indexes whose bytes were cut off.
    if vacant.contains(where: { offsets[$0] == end }) { writer.bytes.append(0) }
    for (index, bytes) in moved {
      offsets[index] = writer.bytes.count
      writer.bytes += bytes
    }
    return (writer, offsets)
  }

  /// Where each changed or removed object stands, unless another object stands there too.
  private func extentsAlone() -> [Int: Range<Int>] {
    var extents: [Range<Int>] = []
    extents.reserveCapacity(objects.count)
    for index in 0..<objects.count {
      let offset = objects.offset(of: index)
      // What the root does not reach may be damaged.
      let end = (try? objects.object(at: index).end) ?? offset + 1
      extents.append(offset..<end)
    }
    var overlaps = [Bool](repeating: false, count: objects.count)
    var furthest: Int?
    for index in Self.byStart(extents) {
      guard let before = furthest else {
        furthest = index
        continue
      }
      if extents[index].lowerBound < extents[before].upperBound {
        overlaps[index] = true
        overlaps[before] = true
      }
      if extents[index].upperBound > extents[before].upperBound { furthest = index }
    }
    var alone: [Int: Range<Int>] = [:]
    for index in removed + rewritten.keys where !overlaps[index] { alone[index] = extents[index] }
    return alone
  }

  /// The indexes in the order of their extents, which most files have them in.
  private static func byStart(_ extents: [Range<Int>]) -> [Int] {
    var isSorted = true
    for index in extents.indices.dropFirst()
    where extents[index].lowerBound < extents[index - 1].lowerBound {
      isSorted = false
      break
    }
    let indexes = Array(extents.indices)
    return isSorted
      ? indexes : indexes.sorted { extents[$0].lowerBound < extents[$1].lowerBound }
  }
}

// MARK: - All objects anew

extension BinaryAssembly {
  /// All objects in their order, with references wide enough for their number.
  private func relaid() -> (BinaryWriter, offsets: [Int]) {
    var writer = BinaryWriter(
      bytes: Array(objects.bytes[..<BinaryTrailer.headerSize]),
      referenceSize: BinaryTrailer.width(for: count))
    var offsets = [Int](repeating: 0, count: count)
    let old = (0..<objects.count).map(objects.offset(of:))
    let removed = Set(removed)
    for index in old.indices.sorted(by: { (old[$0], $0) < (old[$1], $1) })
    where !removed.contains(index) {
      offsets[index] = writer.bytes.count
      if let node = rewritten[index] {
        writer.append(node, references: references)
      } else {
        appendOld(index, to: &writer)
      }
    }
    for (index, node) in zip(indexOfNode, pool.nodes) {
      offsets[index] = writer.bytes.count
      writer.append(node, references: references)
    }
    return (writer, offsets)
  }

  private func appendOld(_ index: Int, to writer: inout BinaryWriter) {
    guard let object = try? objects.object(at: index) else {
      // Nothing reaches it: the root's objects were all read.
      writer.bytes.append(0)
      return
    }
    guard object.kind.isContainer else {
      writer.bytes.append(contentsOf: objects.bytes[object.offset..<object.end])
      return
    }
    guard let references = try? objects.references(of: object) else {
      writer.bytes.append(0)
      return
    }
    writer.append(.container(object.kind, references.indices), references: references)
  }
}
