extension XMLBytes {
  /// The places at which some paths end, whose offsets these are, O(n log n) for all.
  func places(of ends: [PathEnd<Int>]) -> [PlistPlace?] {
    let order = ends.indices.sorted { ends[$0].node < ends[$1].node }
    let offsets = order.map { ends[$0].node }
    var result = [PlistPlace?](repeating: nil, count: ends.count)
    for ((index, location), column) in zip(
      zip(order, locations(of: offsets)), scalarColumns(of: offsets))
    {
      result[index] = PlistPlace(
        location, scalarColumn: column, isExact: ends[index].isExact)
    }
    return result
  }

  /// The columns of places in rising order in Unicode scalars.
  private func scalarColumns(of offsets: [Int]) -> [Int] {
    var index = 0
    var column = 1
    return offsets.map { offset in
      let offset = min(max(offset, 0), count)
      while index < offset {
        if isLineEnd(index) {
          column = 1
        } else if self[index] & 0xC0 != 0x80 {
          column += 1
        }
        index += 1
      }
      return column
    }
  }
}
