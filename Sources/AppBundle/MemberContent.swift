/// The unpacked bytes of a member, at any place of it.
///
/// A file, and a member that is stored, are read where they lie. A deflated member is unpacked once: into
/// memory where it is small, else into a nameless file, so that memory stays bounded. Threads can share it.
public final class MemberContent: Sendable {
  private enum Source: Sendable {
    case bytes([UInt8])
    case file(InputFile, offset: UInt64)
  }

  /// The member, as ``Member/path`` shows it.
  public let path: String
  /// How many bytes it has.
  public let size: UInt64
  private let source: Source

  /// Bytes up to which a deflated member is unpacked into memory.
  static let memoryLimit: UInt64 = 32 << 20

  fileprivate init(bytes: [UInt8], path: String) {
    self.path = path
    size = UInt64(bytes.count)
    source = .bytes(bytes)
  }

  fileprivate init(file: InputFile, range: Range<UInt64>, path: String) {
    self.path = path
    size = range.upperBound - range.lowerBound
    source = .file(file, offset: range.lowerBound)
  }

  /// Exactly so many bytes from a place.
  /// - Throws: ``BundleError`` with codes `truncated` where there are fewer, `io`.
  public func read(at offset: UInt64, count: Int) throws(BundleError) -> [UInt8] {
    guard count >= 0, offset <= size, UInt64(count) <= size - offset else {
      throw BundleError(
        .truncated, member: path,
        detail: "\(count) bytes wanted at byte \(offset) of \(size)")
    }
    switch source {
    case .bytes(let bytes):
      return Array(bytes[Int(offset)..<Int(offset) + count])
    case .file(let file, let start):
      return try file.bytes(at: start + offset, count: count)
    }
  }
}

extension Application {
  /// A member that is a regular file, to be read at any place.
  ///
  /// A deflated member's count and CRC-32 are checked when it is unpacked; those of one that is stored
  /// are not, since it is read in parts.
  /// - Throws: ``BundleError`` as ``contents(of:limit:)``, and `limit` where it unpacks to more than
  ///   ``ArchiveLimits/unpackedBytes``.
  public func content(of path: String) throws(BundleError) -> MemberContent {
    var index = 0
    if let table, let names {
      index = try names.index(of: path)
      guard table.kind(index) == .file else {
        throw BundleError(.notAFile, member: path, detail: "it is no regular file")
      }
    }
    switch source {
    case .file(let file): return MemberContent(file: file, range: 0..<file.size, path: path)
    case .folder(let tree):
      let file = try tree.open(index)
      return MemberContent(file: file, range: 0..<file.size, path: path)
    case .archive(let archive): return try content(index, of: archive, path: path)
    }
  }

  private func content(
    _ index: Int, of archive: ArchiveFile, path: String
  ) throws(BundleError) -> MemberContent {
    try archive.checkMethod(index)
    let record = archive.directory.records[index]
    if record.method == 0, record.compressedSize == record.size {
      return MemberContent(file: archive.file, range: try archive.place(index).data, path: path)
    }
    guard record.size > MemberContent.memoryLimit else {
      let bytes = try archive.contents(index, limit: Int(MemberContent.memoryLimit))
      return MemberContent(bytes: bytes, path: path)
    }
    guard record.size <= limits.unpackedBytes else {
      throw BundleError(
        .limit, member: path,
        detail: "it declares \(record.size) bytes, and at most \(limits.unpackedBytes) are unpacked"
      )
    }
    let file = try UnpackedFile()
    let reader = try archive.reader(index)
    var buffer = [UInt8](repeating: 0, count: reader.bufferSize)
    while true {
      let count = try reader.fill(&buffer)
      try file.append(buffer[..<count])
      if count < buffer.count { break }
    }
    let input = try file.finish(path: path)
    return MemberContent(file: input, range: 0..<input.size, path: path)
  }
}
