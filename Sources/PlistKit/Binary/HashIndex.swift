/// A flat hash table from 32 bits of a hash to a number, for contents that lie elsewhere.
///
/// A search takes a constant number of steps on the average if the hashes are good. The table counts
/// the steps; where they come to more than a few a search, someone has chosen the contents for that,
/// and the owner enters all of them again by another hash. So any contents take linear time.
struct HashIndex {
  /// A hash in the high half and a number plus 1 in the low one; 0 where nothing is.
  private var slots: [UInt64]
  private var mask: Int
  private var count = 0
  private var searches = 0
  private(set) var steps = 0

  init() {
    slots = Array(repeating: 0, count: 64)
    mask = 63
  }

  /// Whether the searches took so many steps that the hash must be a bad one.
  @inline(__always)
  var isDegenerate: Bool { steps > 16 * searches + 1024 }

  /// The number entered under a hash for a content that `isEqual` accepts.
  /// - Returns: nil where there was none, and `new` was entered; it is below 2^32 - 1.
  @inline(__always)
  mutating func find(_ hash: UInt64, orEnter new: Int, isEqual: (Int) -> Bool) -> Int? {
    let hash = hash >> 32
    var place = Int(hash) & mask
    searches += 1
    while slots[place] != 0 {
      let slot = slots[place]
      steps += 1
      if slot >> 32 == hash {
        let number = Int(slot & 0xFFFF_FFFF) - 1
        if isEqual(number) { return number }
        steps += 3
      }
      place = (place + 1) & mask
    }
    slots[place] = hash << 32 | UInt64(new + 1)
    count += 1
    if count > mask / 8 * 5 { grow() }
    return nil
  }

  /// The number entered under a hash for a content that `isEqual` accepts.
  func search(_ hash: UInt64, isEqual: (Int) -> Bool) -> Int? {
    let hash = hash >> 32
    var place = Int(hash) & mask
    while slots[place] != 0 {
      let number = Int(slots[place] & 0xFFFF_FFFF) - 1
      if slots[place] >> 32 == hash, isEqual(number) { return number }
      place = (place + 1) & mask
    }
    return nil
  }

  @inline(never)
  private mutating func grow() {
    let old = slots
    let size = (old.count < 1 << 16 ? 4 : 2) * old.count
    slots = Array(repeating: 0, count: size)
    mask = size - 1
    for slot in old where slot != 0 {
      var place = Int(slot >> 32) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = slot
    }
  }
}
