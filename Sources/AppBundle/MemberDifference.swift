/// One way in which two applications differ.
public struct MemberDifference: Sendable, Equatable {
  /// What differs.
  public enum Kind: String, Sendable, CaseIterable {
    /// Only the new application has the member.
    case added
    /// Only the original has it.
    case removed
    /// Its bytes.
    case contents
    /// Its permission bits.
    case permissions
    /// Where the symbolic link leads.
    case linkTarget = "link-target"
    /// A file in one is a folder or a link in the other.
    case kind
    /// The members that both have stand in another order; the first one out of place is named.
    case order
    /// An extra field gives the archive's member another name, which some readers take.
    case otherName = "other-name"
    /// The archive has bytes before, between or behind its members that the original has not; the main
    /// application is named.
    case outside
  }

  /// The member in the new application, for a removed one in the original.
  public let path: String
  /// What differs.
  public let kind: Kind
  /// The member in the original, nil for an added one.
  public let old: Member?
  /// The member in the new application, nil for a removed one.
  public let new: Member?

  /// A difference of these parts.
  public init(path: String, kind: Kind, old: Member? = nil, new: Member? = nil) {
    self.path = path
    self.kind = kind
    self.old = old
    self.new = new
  }

  /// Compares path and kind.
  public static func == (a: Self, b: Self) -> Bool { a.path == b.path && a.kind == b.kind }
}

extension Application {
  /// What is different in this application from another one.
  ///
  /// Members are matched by their path in the main application. Those outside it are compared only
  /// where both inputs have such: two archives or folders with `Payload/`, or two of the same kind.
  /// Where an archive is compared with a folder, folders are not reported as added or removed, and
  /// permissions only where the archive tells them, special bits of a file only as new ones.
  ///
  /// Two archives' members with the same method, sizes and CRC-32 are compared packed, and differ
  /// only where what they unpack to differs. All else is compared unpacked, in blocks of 1 MiB.
  /// - Throws: ``BundleError`` as ``contents(of:limit:)``.
  public func memberDifferences(
    from original: Application
  ) throws(BundleError) -> [MemberDifference] {
    try MemberComparison(new: self, old: original).differences()
  }
}

struct MemberComparison {
  let new: Application
  let old: Application

  /// What matches members of two inputs.
  private struct Key: Hashable {
    let isInApp: Bool
    let path: [UInt8]
    /// Counts members of the same name.
    let occurrence: Int
  }

  private var areBothArchives: Bool {
    if case .archive = new.source, case .archive = old.source { return true }
    return false
  }
  private var isMixed: Bool { (new.kind == .ipa) != (old.kind == .ipa) }
  private var comparesContainers: Bool {
    let withPayload: Set<InputKind> = [.ipa, .payload]
    return new.kind == old.kind
      || (withPayload.contains(new.kind) && withPayload.contains(old.kind))
  }

  func differences() throws(BundleError) -> [MemberDifference] {
    guard let newTable = new.table, let oldTable = old.table else { return try ofPropertyLists() }
    let before = keys(old, oldTable)
    var places: [Key: Int] = [:]
    for (place, entry) in before.enumerated() { places[entry.key] = place }
    var result: [MemberDifference] = []
    var matched = [Bool](repeating: false, count: before.count)
    var lastPlace = -1
    var outOfOrder: MemberDifference?
    for entry in keys(new, newTable) {
      let path = newTable.display(entry.index)
      guard let place = places[entry.key] else {
        if reports(newTable.kind(entry.index)) {
          result.append(
            MemberDifference(path: path, kind: .added, new: newTable.member(entry.index)))
        }
        continue
      }
      matched[place] = true
      func difference(_ kind: MemberDifference.Kind) -> MemberDifference {
        MemberDifference(
          path: path, kind: kind, old: oldTable.member(before[place].index),
          new: newTable.member(entry.index))
      }
      if place < lastPlace { outOfOrder = outOfOrder ?? difference(.order) }
      lastPlace = place
      let kinds = try kinds(entry.index, newTable, before[place].index, oldTable)
      result += kinds.map(difference)
    }
    if areBothArchives, let outOfOrder { result.append(outOfOrder) }
    if try hasMoreOutside() {
      result.append(MemberDifference(path: MemberName.display(new.bundle), kind: .outside))
    }
    for (place, entry) in before.enumerated()
    where !matched[place] && reports(oldTable.kind(entry.index)) {
      result.append(
        MemberDifference(
          path: oldTable.display(entry.index), kind: .removed, old: oldTable.member(entry.index)))
    }
    return result + otherAppFolder(besides: result)
  }

  /// The app's folder as one that came and one that went, where it has another name and no entry of its
  /// own that says so.
  private func otherAppFolder(besides found: [MemberDifference]) -> [MemberDifference] {
    guard comparesContainers, new.bundle != old.bundle, !new.bundle.isEmpty, !old.bundle.isEmpty
    else { return [] }
    let differences = [
      MemberDifference(path: MemberName.display(new.bundle), kind: .added),
      MemberDifference(path: MemberName.display(old.bundle), kind: .removed),
    ]
    return differences.filter { !found.contains($0) }
  }

  private func ofPropertyLists() throws(BundleError) -> [MemberDifference] {
    let areEqual = try new.infoPlist() == old.infoPlist()
    if areEqual { return [] }
    return [
      MemberDifference(
        path: new.infoPlistPath, kind: .contents, old: old.members.first, new: new.members.first)
    ]
  }

  private func reports(_ kind: Member.Kind) -> Bool { !(isMixed && kind == .directory) }

  private func keys(
    _ application: Application, _ table: any MemberTable
  ) -> [(key: Key, index: Int)] {
    let bundle = application.bundle
    let prefix = bundle.isEmpty ? [] : bundle + [MemberName.slash]
    var counts: [Key: Int] = [:]
    var result: [(key: Key, index: Int)] = []
    for index in 0..<table.count {
      let name = table.name(index)
      let isInApp = name.starts(with: prefix)
      guard isInApp || comparesContainers else { continue }
      let path = Array(isInApp ? name.dropFirst(prefix.count) : name)
      let first = Key(isInApp: isInApp, path: path, occurrence: 0)
      let occurrence = counts[first, default: 0]
      counts[first] = occurrence + 1
      result.append((Key(isInApp: isInApp, path: path, occurrence: occurrence), index))
    }
    return result
  }

  private func kinds(
    _ newIndex: Int, _ newTable: any MemberTable, _ oldIndex: Int, _ oldTable: any MemberTable
  ) throws(BundleError) -> [MemberDifference.Kind] {
    let kind = newTable.kind(newIndex)
    guard kind == oldTable.kind(oldIndex) else { return [.kind] }
    var found: [MemberDifference.Kind] = []
    if hasMoreNames(newIndex, oldIndex) { found.append(.otherName) }
    switch kind {
    case .file:
      if try !haveEqualContents(newIndex, oldIndex) { found.append(.contents) }
    case .symbolicLink:
      if try new.linkTarget(newIndex) != old.linkTarget(oldIndex) { found.append(.linkTarget) }
      return found
    case .directory, .other: break
    }
    let (newMember, oldMember) = (newTable.member(newIndex), oldTable.member(oldIndex))
    if permissions(newMember) != permissions(oldMember) || gainsSpecialBit(newMember, oldMember) {
      found.append(.permissions)
    }
    return found
  }

  /// A member's permissions as they compare: where an archive meets a folder, those that unpacking
  /// gives.
  private func permissions(_ member: Member) -> UInt16? {
    isMixed
      ? ArchiveUnpacker.permissions(member.permissions ?? 0, isFolder: member.kind == .directory)
      : member.permissions
  }

  /// Whether a file has a special bit that it had not; folders inherit one from the folder around them.
  private func gainsSpecialBit(_ member: Member, _ original: Member) -> Bool {
    member.kind == .file
      && (member.permissions ?? 0) & 0o7000 & ~(original.permissions ?? 0) != 0
  }

  private func haveEqualContents(_ newIndex: Int, _ oldIndex: Int) throws(BundleError) -> Bool {
    if case .archive(let a) = new.source, case .archive(let b) = old.source {
      let (x, y) = (a.directory.records[newIndex], b.directory.records[oldIndex])
      if x.method == y.method, x.flags & 1 == y.flags & 1, x.compressedSize == y.compressedSize,
        x.size == y.size, x.checksum == y.checksum
      {
        let areEqual = try Self.areEqual(
          MemberReader(
            file: a.file, range: a.packed(newIndex).data, member: a.directory.display(newIndex)),
          MemberReader(
            file: b.file, range: b.packed(oldIndex).data, member: b.directory.display(oldIndex)))
        if areEqual {
          let wasBroken = try hasBrokenHeader(b, oldIndex)
          return try wasBroken ? true : !hasBrokenHeader(a, newIndex)
        }
      }
      // What cannot be unpacked is as different as its packed bytes.
      if x.isEncrypted || y.isEncrypted || ![0, 8].contains(x.method) || ![0, 8].contains(y.method)
      {
        return false
      }
    }
    guard new.table?.member(newIndex).size == old.table?.member(oldIndex).size else { return false }
    return try Self.areEqual(new.reader(newIndex), old.reader(oldIndex))
  }

  /// Whether a member's local header says otherwise than the central directory: a reader of the stream
  /// takes it for another member.
  private func hasBrokenHeader(_ archive: ArchiveFile, _ index: Int) throws(BundleError) -> Bool {
    let directory = archive.directory
    let record = directory.records[index]
    return try archive.packed(index).header.difference(
      from: record, name: directory.bytes[record.name], otherNames: directory.otherNames(index))
      != nil
  }

  static func areEqual(
    _ first: MemberReader, _ second: MemberReader
  ) throws(BundleError) -> Bool {
    var a = [UInt8](repeating: 0, count: max(first.bufferSize, second.bufferSize))
    var b = a
    while true {
      let counts = (try first.fill(&a), try second.fill(&b))
      guard counts.0 == counts.1, a[..<counts.0] == b[..<counts.1] else { return false }
      if counts.0 < a.count { return true }
    }
  }
}

extension Application {
  /// Gives the bytes of a member that is a regular file, block by block of at most 1 MiB.
  ///
  /// What is checked, and where it ends with an error, is as for ``contents(of:limit:)``, but for the
  /// limit: there is none.
  /// - Throws: ``BundleError`` as ``contents(of:limit:)``.
  public func forEachBlock(
    of path: String, _ body: (ArraySlice<UInt8>) -> Void
  ) throws(BundleError) {
    var index = 0
    if let table, let names {
      index = try names.index(of: path)
      guard table.kind(index) == .file else {
        throw BundleError(.notAFile, member: path, detail: "it is no regular file")
      }
    }
    let reader = try reader(index)
    var buffer = [UInt8](repeating: 0, count: reader.bufferSize)
    while true {
      let count = try reader.fill(&buffer)
      body(buffer[..<count])
      if count < buffer.count { return }
    }
  }

  /// The first bytes of a member that is a regular file; fewer than asked for where it has no more.
  ///
  /// No more of it is unpacked, so its checksum is looked at only where it ends there.
  /// - Throws: ``BundleError`` as ``contents(of:limit:)``, but for `limit`.
  public func beginning(of path: String, count: Int) throws(BundleError) -> [UInt8] {
    var index = 0
    if let table, let names {
      index = try names.index(of: path)
      guard table.kind(index) == .file else {
        throw BundleError(.notAFile, member: path, detail: "it is no regular file")
      }
    }
    var buffer = [UInt8](repeating: 0, count: max(0, count))
    let found = try reader(index).fill(&buffer)
    return Array(buffer[..<found])
  }

  /// A reader of an entry that is a file.
  fileprivate func reader(_ index: Int) throws(BundleError) -> MemberReader {
    switch source {
    case .archive(let archive): return try archive.reader(index)
    case .folder(let tree):
      let file = try tree.open(index)
      return MemberReader(file: file, range: 0..<file.size, member: file.path)
    case .file(let file): return MemberReader(file: file, range: 0..<file.size, member: file.path)
    }
  }
}
