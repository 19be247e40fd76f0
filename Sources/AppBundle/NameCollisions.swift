/// Names that fall on one file somewhere: twice the same, or different in case or Unicode form.
struct NameCollisions {
  private let table: any MemberTable
  /// A hash of each name's collision key. Its seed is random, so no file can be made to collide.
  private let hashes: [Int]

  init(_ table: any MemberTable) {
    self.table = table
    hashes = (0..<table.count).map { MemberName.collisionKey(table.name($0)).hashValue }
  }

  /// The entries that collide with a name, itself among them.
  func indices(_ name: [UInt8]) -> [Int] {
    let key = MemberName.collisionKey(name[...])
    let hash = key.hashValue
    return hashes.indices.filter {
      hashes[$0] == hash && MemberName.collisionKey(table.name($0)) == key
    }
  }

  /// One line for all names that are there twice, one for those that differ in case or form.
  func warnings() -> [String] {
    let sorted = hashes.sorted()
    var repeated: Set<Int> = []
    for (hash, next) in zip(sorted, sorted.dropFirst()) where hash == next { repeated.insert(hash) }
    if repeated.isEmpty { return [] }
    var first: [Int: Int] = [:]
    var same: [String] = []
    var alike: [String] = []
    var counts = (same: 0, alike: 0)
    for index in hashes.indices where repeated.contains(hashes[index]) {
      guard let earlier = first[hashes[index]] else {
        first[hashes[index]] = index
        continue
      }
      if table.name(earlier).elementsEqual(table.name(index)) {
        counts.same += 1
        if same.count < 3 { same.append(table.display(index)) }
      } else {
        counts.alike += 1
        if alike.count < 3 { alike.append("\(table.display(index)) and \(table.display(earlier))") }
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
