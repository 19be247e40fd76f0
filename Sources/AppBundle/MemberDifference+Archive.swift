extension MemberComparison {
  /// Whether a member of an archive has a name in its extra fields that the original has not.
  func hasMoreNames(_ newIndex: Int, _ oldIndex: Int) -> Bool {
    guard case .archive(let archive) = new.source else { return false }
    let names = Self.otherNames(newIndex, in: archive)
    guard !names.isEmpty else { return false }
    guard case .archive(let original) = old.source else { return true }
    return !names.isSubset(of: Self.otherNames(oldIndex, in: original))
  }

  private static func otherNames(_ index: Int, in archive: ArchiveFile) -> Set<[UInt8]> {
    let own = Array(archive.directory.name(index))
    return Set(archive.directory.otherNames(index)).subtracting([own])
  }

  /// Whether the archive has bytes outside its members that are none of the original's: readers of
  /// streams may take those between them for members.
  func hasMoreOutside() throws(BundleError) -> Bool {
    guard case .archive(let archive) = new.source else { return false }
    let ranges = archive.outside()
    let tail = archive.end.bytes.dropFirst(EndRecord.length)
    guard !ranges.isEmpty || !tail.isEmpty else { return false }
    guard case .archive(let original) = old.source else { return true }
    guard tail.isEmpty || tail == original.end.bytes.dropFirst(EndRecord.length) else {
      return true
    }
    var rest = original.outside()[...]
    for range in ranges {
      // An injection keeps them in their order, and may leave some out.
      var isFound = false
      while !isFound, let candidate = rest.popFirst() {
        isFound = try Self.areEqual(
          MemberReader(file: archive.file, range: range, member: ""),
          MemberReader(file: original.file, range: candidate, member: ""))
      }
      if !isFound { return true }
    }
    return false
  }
}

extension ArchiveFile {
  /// What lies before the first member and between the members, in the order of the file.
  fileprivate func outside() -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    var end: UInt64 = 0
    for place in 0..<directory.count {
      guard let index = directory.indexInFile(place) else { continue }
      let record = directory.records[index]
      if record.offset > end { ranges.append(end..<record.offset) }
      // Of a member that cannot be placed nobody knows where it ends.
      let found =
        (try? self.place(index).all)
        ?? (try? packed(index)).map { record.offset..<$0.data.upperBound }
      end = max(end, found?.upperBound ?? record.offset)
    }
    if self.end.directory.lowerBound > end { ranges.append(end..<self.end.directory.lowerBound) }
    return ranges
  }
}
