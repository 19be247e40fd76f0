/// Entries with their names and bytes by number, for those who look at very many of them. Threads can
/// share it.
package protocol EntrySource: Sendable {
  /// How many there are.
  var entryCount: Int { get }
  /// The path from the root as bytes, a folder's without the slash at its end.
  func entryName(_ index: Int) -> ArraySlice<UInt8>
  /// What an entry is.
  func entryKind(_ index: Int) -> Member.Kind
  /// Bytes of an entry; in an archive, what the archive declares.
  func entrySize(_ index: Int) -> UInt64
  /// The target of a symbolic link as bytes.
  func entryLinkTarget(_ index: Int) throws(BundleError) -> [UInt8]
  /// Gives the bytes of a regular file block by block; the buffer, which holds a block, stays the caller's.
  ///
  /// Of a deflated member count and CRC-32 are checked. The CRC-32 of a stored one is not: who hashes it
  /// knows better, and it would take as long as the hash.
  func forEachBlock(
    ofEntry index: Int, buffer: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(BundleError)
}

extension Application: EntrySource {
  package func entryName(_ index: Int) -> ArraySlice<UInt8> {
    table?.name(index) ?? Array(infoPlistPath.utf8)[...]
  }

  package func entryKind(_ index: Int) -> Member.Kind { table?.kind(index) ?? .file }

  package func entrySize(_ index: Int) -> UInt64 {
    switch source {
    case .archive(let archive): archive.directory.records[index].size
    case .folder(let tree): tree.entries[index].status.size
    case .file(let file): file.size
    }
  }

  package func entryLinkTarget(_ index: Int) throws(BundleError) -> [UInt8] {
    try linkTarget(index)
  }

  package func forEachBlock(
    ofEntry index: Int, buffer: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(BundleError) {
    switch source {
    case .file(let file): try file.forEachBlock(0..<file.size, &buffer, body)
    case .folder(let tree): try tree.forEachBlock(index, &buffer, body)
    case .archive(let archive): try archive.forEachBlock(index, &buffer, body)
    }
  }
}

/// The entries of a folder on disk, as they were when it was listed.
package struct FolderEntries: EntrySource {
  private let tree: FolderTree

  /// Lists a folder; the last name of the path must be no link.
  /// - Throws: ``BundleError`` with codes `limit`, `unreadable`, `io`.
  package init(_ path: String, limits: ArchiveLimits = .standard) throws(BundleError) {
    tree = try FolderTree(Directory(path, followsLast: false), limits: limits)
  }

  package var entryCount: Int { tree.count }
  package func entryName(_ index: Int) -> ArraySlice<UInt8> { tree.name(index) }
  package func entryKind(_ index: Int) -> Member.Kind { tree.kind(index) }
  package func entrySize(_ index: Int) -> UInt64 { tree.entries[index].status.size }
  package func entryLinkTarget(_ index: Int) throws(BundleError) -> [UInt8] {
    try tree.linkTarget(index)
  }

  package func forEachBlock(
    ofEntry index: Int, buffer: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(BundleError) {
    try tree.forEachBlock(index, &buffer, body)
  }
}

extension FolderTree {
  fileprivate func forEachBlock(
    _ index: Int, _ buffer: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(BundleError) {
    let file = try open(index)
    try file.forEachBlock(0..<file.size, &buffer, body)
    try file.checkUnchanged()
  }
}

extension ArchiveFile {
  fileprivate func forEachBlock(
    _ index: Int, _ buffer: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(BundleError) {
    try checkMethod(index)
    let record = directory.records[index]
    if record.method == 0, record.compressedSize == record.size {
      return try file.forEachBlock(place(index).data, &buffer, body)
    }
    let reader = try reader(index)
    while true {
      let count = try reader.fill(&buffer)
      buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      if count < buffer.count { return }
    }
  }
}

extension InputFile {
  fileprivate func forEachBlock(
    _ range: Range<UInt64>, _ buffer: inout [UInt8], _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(BundleError) {
    guard !buffer.isEmpty else { return }
    var place = range.lowerBound
    while place < range.upperBound {
      let count = Int(min(UInt64(buffer.count), range.upperBound - place))
      try fillWhole(&buffer, count: count, at: place)
      buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      place += UInt64(count)
    }
  }
}
