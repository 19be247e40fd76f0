/// Finds entries by their names, and those whose names fall on one file somewhere: twice the same, or
/// different in case or Unicode form.
struct NameCollisions: Sendable {
  private let table: any MemberTable
  private let hash = NameHash()
  /// An open hash table of the first entry of each collision key: the upper half of the hash, and the
  /// entry's index plus 1; zero where there is none. At least a third of it stays empty.
  private let slots: [UInt64]
  /// The entries whose key an earlier one has, with the first one that has it, in their order.
  private let repeats: [(first: UInt32, index: UInt32)]

  init(_ table: any MemberTable) {
    self.table = table
    var size = 16
    while size < table.count + table.count / 2 { size *= 2 }
    var slots = [UInt64](repeating: 0, count: size)
    var repeats: [(first: UInt32, index: UInt32)] = []
    table.forEachName { [hash] index, name in
      let hash = hash(name)
      let place = Self.place(of: hash, in: slots) { Self.haveOneKey(table.name($0), name) }
      if slots[place] == 0 {
        slots[place] = hash & Self.upperHalf | UInt64(index + 1)
      } else {
        repeats.append((UInt32(Self.index(in: slots[place])), UInt32(index)))
      }
    }
    self.slots = slots
    self.repeats = repeats
  }

  private static let upperHalf: UInt64 = 0xFFFF_FFFF_0000_0000

  private static func index(in slot: UInt64) -> Int { Int(slot & ~upperHalf) - 1 }

  /// The place of the entry that a closure accepts, or the empty one where it belongs.
  @inline(__always)
  private static func place(of hash: UInt64, in slots: [UInt64], _ accepts: (Int) -> Bool) -> Int {
    var place = Int(truncatingIfNeeded: hash & UInt64(slots.count - 1))
    while slots[place] != 0 {
      let hasHash = (slots[place] ^ hash) & upperHalf == 0
      if hasHash, accepts(index(in: slots[place])) { break }
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
    let place = Self.place(of: hash(span), in: slots) { Self.haveOneKey(table.name($0), span) }
    guard slots[place] != 0 else { return [] }
    let first = Self.index(in: slots[place])
    return [first] + repeats.filter { $0.first == first }.map { Int($0.index) }
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
      found = (0..<table.count).filter { table.display($0) == path }
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
