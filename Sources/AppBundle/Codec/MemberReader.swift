/// Reads one member's bytes from start to end, with a bounded buffer.
final class MemberReader {
  private enum Source {
    case bytes(ArraySlice<UInt8>)
    case range(InputFile, Range<UInt64>)
    case packed(ZipReader)
  }

  private var source: Source
  private let declared: UInt64
  private var done: UInt64 = 0
  private let member: String

  /// Reads a member of an archive.
  init(file: InputFile, place: ArchiveFile.Place, member: String) throws(BundleError) {
    self.member = member
    declared = place.record.size
    source = .packed(
      try ZipReader(file: file, data: place.data, record: place.record, member: member))
  }

  /// Reads bytes of a file as they are.
  init(file: InputFile, range: Range<UInt64>, member: String) {
    self.member = member
    declared = range.upperBound - range.lowerBound
    source = .range(file, range)
  }

  /// Reads bytes in memory.
  init(_ bytes: [UInt8], member: String) {
    self.member = member
    declared = UInt64(bytes.count)
    source = .bytes(bytes[...])
  }

  /// Fills an array from its start; fewer bytes than it holds mean the end.
  /// - Throws: ``BundleError``: `inconsistent` where there are more or fewer bytes than declared,
  ///   `checksum`, `io`.
  func fill(_ buffer: inout [UInt8]) throws(BundleError) -> Int {
    let count: Int
    switch source {
    case .bytes(let bytes):
      let part = bytes.prefix(buffer.count)
      count = part.count
      buffer.replaceSubrange(0..<count, with: part)
      source = .bytes(bytes.dropFirst(count))
    case .range(let file, let range):
      if UInt64(buffer.count) > range.upperBound - range.lowerBound {
        var rest = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound))
        count = try file.fill(&rest, at: range.lowerBound)
        buffer.replaceSubrange(0..<count, with: rest[..<count])
      } else {
        count = try file.fill(&buffer, at: range.lowerBound)
      }
      source = .range(file, range.lowerBound + UInt64(count)..<range.upperBound)
    case .packed(let reader):
      count = try reader.fill(&buffer)
    }
    done += UInt64(count)
    guard done <= declared, count == buffer.count || done == declared else {
      let found = done > declared ? "more" : "\(done)"
      throw BundleError(
        .inconsistent, member: member, detail: "\(declared) bytes are declared, \(found) are there")
    }
    return count
  }

  /// A buffer that takes a small member and its end at once.
  var bufferSize: Int { Int(min(declared, UInt64(copyBufferSize) - 1)) + 1 }

  /// All bytes, of which there should be so many.
  func all(expecting count: Int) throws(BundleError) -> [UInt8] {
    // One more than expected, so that the end is seen and the checksum with it.
    var bytes = [UInt8](repeating: 0, count: count + 1)
    let found = try fill(&bytes)
    bytes.removeLast(bytes.count - found)
    return bytes
  }
}
