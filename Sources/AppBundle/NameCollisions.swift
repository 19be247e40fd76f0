internal import Synchronization

/// Finds entries by their names, and those whose names fall on one file somewhere: twice the same, or
/// different in case or Unicode form.
struct NameCollisions: Sendable {
  private let table: any MemberTable
  private let hash = NameHash()
  /// An open hash table of the first entry of each collision key: the entry's index plus 1 in the bits
  /// of `indexMask`, a part of the hash in the others; zero where there is none. At least a third of it
  /// stays empty.
  private let slots: [UInt32]
  private let indexMask: UInt32
  /// The entries whose key an earlier one has, with the first one that has it, in their order.
  private let repeats: [(first: UInt32, index: UInt32)]
  /// The same sorted by the first entries, so that those of one name stand together.
  private let repeatsByFirst: [(first: UInt32, index: UInt32)]
  private let escaped: EscapedNames

  init(_ table: any MemberTable) {
    self.table = table
    escaped = EscapedNames(table)
    var size = 16
    while size < table.count + table.count / 2 { size *= 2 }
    let indexMask = UInt32(clamping: size - 1)
    var slots = [UInt32](repeating: 0, count: size)
    var repeats: [(first: UInt32, index: UInt32)] = []
    table.forEachName { [hash] index, name in
      let hash = hash(name)
      let place = Self.place(of: hash, in: slots, indexMask) {
        Self.haveOneKey(table.name($0), name)
      }
      if slots[place] == 0 {
        slots[place] = Self.tag(hash) & ~indexMask | UInt32(index + 1)
      } else {
        repeats.append((slots[place] & indexMask - 1, UInt32(index)))
      }
    }
    self.slots = slots
    self.indexMask = indexMask
    self.repeats = repeats
    repeatsByFirst = repeats.sorted { ($0.first, $0.index) < ($1.first, $1.index) }
  }

  private static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

  /// The place of the entry that a closure accepts, or the empty one where it belongs.
  @inline(__always)
  private static func place(
    of hash: UInt64, in slots: [UInt32], _ indexMask: UInt32, _ accepts: (Int) -> Bool
  ) -> Int {
    var place = Int(truncatingIfNeeded: hash & UInt64(slots.count - 1))
    while slots[place] != 0 {
      let hasTag = (slots[place] ^ tag(hash)) & ~indexMask == 0
      if hasTag, accepts(Int(slots[place] & indexMask) - 1) { break }
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  @inline(never)
  private static func haveOneKey(_ first: ArraySlice<UInt8>, _ second: Span<UInt8>) -> Bool {
    if first.span.isIdentical(to: second) { return true }
    return MemberName.collisionKey(first) == MemberName.collisionKey(Array(second)[...])
  }

  /// The entries that collide with a name, itself among them.
  func indices(_ name: [UInt8]) -> [Int] {
    let span = name.span
    let place = Self.place(of: hash(span), in: slots, indexMask) {
      Self.haveOneKey(table.name($0), span)
    }
    guard slots[place] != 0 else { return [] }
    let first = Int(slots[place] & indexMask) - 1
    return [first] + repeats(of: first)
  }

  /// The entries with the key of a first one.
  private func repeats(of first: Int) -> [Int] {
    var low = 0
    var high = repeatsByFirst.count
    while low < high {
      let middle = low + (high - low) / 2
      if repeatsByFirst[middle].first < first { low = middle + 1 } else { high = middle }
    }
    return repeatsByFirst[low...].prefix { $0.first == first }.map { Int($0.index) }
  }

  /// The entries of exactly this name.
  func indices(named name: [UInt8]) -> [Int] {
    indices(name).filter { table.name($0).elementsEqual(name) }
  }

  /// The one entry of a displayed path.
  /// - Throws: ``BundleError`` with code `noMember`, or `duplicateMember` where there are several.
  func index(of path: String) throws(BundleError) -> Int {
    var found = indices(named: Array(path.utf8))
    if found.isEmpty, path.utf8.contains(MemberName.backslash) {
      found = escaped.indices(path)
    }
    guard let first = found.first else {
      throw BundleError(.noMember, member: path, detail: "there is no such member")
    }
    guard found.count == 1 else {
      throw BundleError(
        .duplicateMember, member: path, detail: "\(found.count) members have this name")
    }
    return first
  }

  /// One line for all names that are there twice, one for those that differ in case or form.
  func warnings() -> [String] {
    var same: [String] = []
    var alike: [String] = []
    var counts = (same: 0, alike: 0)
    for (first, index) in repeats {
      let (first, index) = (Int(first), Int(index))
      if table.name(first).elementsEqual(table.name(index)) {
        counts.same += 1
        if same.count < 3 { same.append(table.display(index)) }
      } else {
        counts.alike += 1
        if alike.count < 3 { alike.append("\(table.display(index)) and \(table.display(first))") }
      }
    }
    return [
      Self.line("members there more than once", same, counts.same),
      Self.line("members that fall on one file where case does not count", alike, counts.alike),
    ].compactMap { $0 }
  }

  private static func line(_ what: String, _ names: [String], _ count: Int) -> String? {
    if names.isEmpty { return nil }
    let more = count > names.count ? " and \(count - names.count) more" : ""
    return "\(what): \(names.joined(separator: "; "))\(more)"
  }
}

/// The entries whose names are displayed with a backslash, by what is displayed. They are few, and
/// seldom asked for, so they are listed at the first look.
private final class EscapedNames: Sendable {
  private struct Entry {
    let hash: Int
    let index: UInt32
  }

  private let table: any MemberTable
  /// Sorted by hash, then index.
  private let entries = Mutex<[Entry]?>(nil)

  init(_ table: any MemberTable) { self.table = table }

  /// The entries that are displayed as a path.
  func indices(_ path: String) -> [Int] {
    let hash = path.hashValue
    let alike = entries.withLock { entries in
      let list = entries ?? listed()
      entries = list
      var low = 0
      var high = list.count
      while low < high {
        let middle = low + (high - low) / 2
        if list[middle].hash < hash { low = middle + 1 } else { high = middle }
      }
      return list[low...].prefix { $0.hash == hash }
    }
    return alike.map { Int($0.index) }.filter { table.display($0) == path }
  }

  private func listed() -> [Entry] {
    var list: [Entry] = []
    table.forEachName { index, name in
      guard !name.isPrintableASCII else { return }
      let shown = MemberName.display(Array(name))
      guard shown.utf8.contains(MemberName.backslash) else { return }
      list.append(Entry(hash: shown.hashValue, index: UInt32(index)))
    }
    return list.sorted { ($0.hash, $0.index) < ($1.hash, $1.index) }
  }
}
