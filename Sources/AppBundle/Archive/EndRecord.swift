/// Where an archive's central directory lies, as its end records tell (APPNOTE.TXT 4.3.14 to 4.3.16).
struct EndRecord: Sendable {
  /// The zip64 end record and its locator, which end where the plain end record begins.
  struct Zip64: Sendable {
    let position: UInt64
    /// Record and locator in one.
    let bytes: [UInt8]
    static let locatorLength = 20
    /// The record without data of others.
    static let leastLength = 56

    /// Whether the record is of the form that tells how the directory is encrypted (APPNOTE.TXT 7.3.4).
    var namesCipher: Bool {
      let cipher = 74
      return bytes.count - Self.locatorLength >= 84 && bytes.uint16(at: cipher) != 0
    }
  }

  /// Where the plain end record lies.
  let position: UInt64
  /// The plain end record with its comment, and all bytes after it.
  let bytes: [UInt8]
  let zip64: Zip64?
  /// The bytes of the central directory in the file.
  let directory: Range<UInt64>
  /// How many members it declares.
  let count: UInt64

  static let length = 22
  static let signature: UInt32 = 0x0605_4B50
  static let zip64Signature: UInt32 = 0x0606_4B50
  static let locatorSignature: UInt32 = 0x0706_4B50

  /// Bytes after the comment.
  var trailingCount: Int { bytes.count - Self.length - Int(bytes.uint16(at: 20)) }
  /// Whether the count is one of a writer that counts modulo 65,536 and writes no zip64 records.
  func allows(count found: Int) -> Bool {
    UInt64(found) == count || (zip64 == nil && UInt64(found) & 0xFFFF == count)
  }
}

extension EndRecord {
  /// Finds the end record of a file, nil where the file has nothing like one.
  ///
  /// Of all places near the file's end that look like an end record, exactly one must lead to a
  /// central directory that ends where the end records begin, and behind its start none of the
  /// others may have a directory in front of it: two readers cannot see two archives.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `limit`, `io`.
  static func find(in file: InputFile, limits: ArchiveLimits) throws(BundleError) -> EndRecord? {
    guard file.size >= UInt64(length) else { return nil }
    let windowLength = min(file.size, UInt64(length + 0xFFFF))
    let windowStart = file.size - windowLength
    let window = try file.bytes(at: windowStart, count: Int(windowLength))
    var found: EndRecord?
    var failure: BundleError?
    var isAmbiguous = false
    var strangers: [UInt64] = []
    var index = window.count - length
    while index >= 0 {
      defer { index -= 1 }
      guard window[index] == 0x50, window.uint32(at: index) == signature else { continue }
      let candidate = Candidate(
        position: windowStart + UInt64(index), bytes: Array(window[index...]), file: file)
      do throws(BundleError) {
        let record = try candidate.record()
        isAmbiguous = found != nil
        found = record
      } catch {
        failure = failure ?? error
        if try candidate.hasDirectory() { strangers.append(candidate.position) }
      }
      if isAmbiguous {
        throw BundleError(.inconsistent, detail: "two end records fit this archive")
      }
    }
    guard let found else {
      if let failure { throw failure }
      return nil
    }
    // An archive may hold others as members: those lie in front of the directory.
    guard !strangers.contains(where: { $0 >= found.directory.lowerBound }) else {
      throw BundleError(
        .inconsistent,
        detail: "another archive stands in this one, and readers differ in which "
          + "they take", hint: "pack the app anew")
    }
    let most = UInt64(clamping: limits.directoryBytes)
    guard found.directory.upperBound - found.directory.lowerBound <= most else {
      throw BundleError(
        .limit, detail: "the central directory is larger than \(limits.directoryBytes) bytes")
    }
    return found
  }
}

/// A place that looks like an end record, before it is known to be one.
private struct Candidate {
  let position: UInt64
  let bytes: [UInt8]
  let file: InputFile

  func record() throws(BundleError) -> EndRecord {
    guard EndRecord.length + Int(bytes.uint16(at: 20)) <= bytes.count else {
      throw BundleError(.truncated, detail: "the end record's comment runs past the file's end")
    }
    let zip64 = try zip64Record()
    let fields = try fields(zip64)
    let directoryEnd = zip64?.position ?? position
    guard fields.offset.plus(fields.size) == directoryEnd else {
      throw misplaced(fields, end: directoryEnd)
    }
    if fields.size > 0 {
      let start = fields.size >= 4 ? try file.bytes(at: fields.offset, count: 4) : []
      guard start.count == 4, start.uint32(at: 0) == CentralRecord.signature else {
        if zip64?.namesCipher == true {
          throw BundleError(
            .encrypted, detail: "the central directory is encrypted",
            hint: "pack the app anew without a password")
        }
        throw BundleError(
          .inconsistent, detail: "no central directory at byte \(fields.offset), where it should be"
        )
      }
    }
    return EndRecord(
      position: position, bytes: bytes, zip64: zip64,
      directory: fields.offset..<directoryEnd, count: fields.count)
  }

  /// Whether a central directory stands where some reader looks for one: readers trust the size alone or
  /// the offset alone, and take either from the zip64 record that the locator names or that stands in
  /// front of it.
  func hasDirectory() throws(BundleError) -> Bool {
    var starts = Self.starts(
      size: UInt64(bytes.uint32(at: 12)), offset: UInt64(bytes.uint32(at: 16)), end: position)
    for place in try zip64Places() {
      let record = try file.bytes(at: place, count: EndRecord.Zip64.leastLength)
      guard record.uint32(at: 0) == EndRecord.zip64Signature else { continue }
      starts += Self.starts(
        size: record.uint64(at: 40), offset: record.uint64(at: 48), end: place)
    }
    for start in starts where start.plus(UInt64(CentralRecord.length)) ?? .max <= position {
      if try file.bytes(at: start, count: 4).uint32(at: 0) == CentralRecord.signature {
        return true
      }
    }
    return false
  }

  private static func starts(size: UInt64, offset: UInt64, end: UInt64) -> [UInt64] {
    size <= end ? [end - size, offset] : [offset]
  }

  /// Where readers look for a zip64 record, whether one is there or not.
  private func zip64Places() throws(BundleError) -> [UInt64] {
    let locatorLength = UInt64(EndRecord.Zip64.locatorLength)
    let least = UInt64(EndRecord.Zip64.leastLength)
    guard position >= locatorLength + least else { return [] }
    let locator = try file.bytes(at: position - locatorLength, count: Int(locatorLength))
    guard locator.uint32(at: 0) == EndRecord.locatorSignature else { return [] }
    let last = position - locatorLength - least
    return [locator.uint64(at: 8), last].filter { $0 <= last }
  }

  private struct Fields {
    var count: UInt64
    var size: UInt64
    var offset: UInt64
  }

  private func fields(_ zip64: EndRecord.Zip64?) throws(BundleError) -> Fields {
    let plain = Fields(
      count: UInt64(bytes.uint16(at: 10)), size: UInt64(bytes.uint32(at: 12)),
      offset: UInt64(bytes.uint32(at: 16)))
    let disks = [bytes.uint16(at: 4), bytes.uint16(at: 6)]
    guard disks.allSatisfy({ $0 == 0 || (zip64 != nil && $0 == 0xFFFF) }),
      bytes.uint16(at: 8) == bytes.uint16(at: 10)
    else { throw BundleError(.inconsistent, detail: "the archive is one part of several") }
    guard let zip64 else { return plain }
    let wide = zip64.bytes
    let fields = Fields(
      count: wide.uint64(at: 32), size: wide.uint64(at: 40), offset: wide.uint64(at: 48))
    guard wide.uint32(at: 16) == 0, wide.uint32(at: 20) == 0,
      wide.uint64(at: 24) == fields.count
    else { throw BundleError(.inconsistent, detail: "the archive is one part of several") }
    guard plain.count == 0xFFFF || plain.count == fields.count,
      plain.size == 0xFFFF_FFFF || plain.size == fields.size,
      plain.offset == 0xFFFF_FFFF || plain.offset == fields.offset
    else { throw BundleError(.inconsistent, detail: "the two end records disagree") }
    return fields
  }

  private func zip64Record() throws(BundleError) -> EndRecord.Zip64? {
    let locatorLength = UInt64(EndRecord.Zip64.locatorLength)
    guard position >= locatorLength else { return nil }
    let locatorStart = position - locatorLength
    let locator = try file.bytes(at: locatorStart, count: Int(locatorLength))
    guard locator.uint32(at: 0) == EndRecord.locatorSignature else { return nil }
    let start = locator.uint64(at: 8)
    // The record may carry data of others at its end; a bound keeps it in memory.
    guard start < locatorStart, locatorStart - start >= 56, locatorStart - start <= 1 << 20 else {
      throw BundleError(
        .inconsistent, detail: "the zip64 locator points to byte \(start), where no record can be")
    }
    let record = try file.bytes(at: start, count: Int(locatorStart - start))
    guard record.uint32(at: 0) == EndRecord.zip64Signature,
      record.uint64(at: 4) == UInt64(record.count) - 12
    else {
      throw BundleError(.inconsistent, detail: "no zip64 end record at byte \(start)")
    }
    // Some readers do not follow the locator, and take what stands in front of it.
    let last = record.count - EndRecord.Zip64.leastLength
    guard last == 0 || record.uint32(at: last) != EndRecord.zip64Signature else {
      throw BundleError(.inconsistent, detail: "two end records fit this archive")
    }
    return EndRecord.Zip64(position: start, bytes: record + locator)
  }

  private func misplaced(_ fields: Fields, end: UInt64) -> BundleError {
    guard fields.size <= end else {
      return BundleError(
        .inconsistent, detail: "the central directory is longer than the file before its end record"
      )
    }
    let actual = end - fields.size
    if actual > 0xFFFF_FFFF, actual & 0xFFFF_FFFF == fields.offset {
      return BundleError(
        .inconsistent,
        detail: "the archive is larger than 4 GiB and its offsets are cut to 32 bits",
        hint: "pack it anew with a tool that writes zip64")
    }
    if actual > fields.offset, let found = try? file.bytes(at: actual, count: 4),
      found.uint32(at: 0) == CentralRecord.signature
    {
      return BundleError(
        .inconsistent,
        detail: "\(actual - fields.offset) bytes stand before the archive and its offsets do not "
          + "count them", hint: "zip -A mends the offsets")
    }
    return BundleError(
      .inconsistent,
      detail: "the central directory should be \(fields.size) bytes from byte \(fields.offset), "
        + "but does not end at the end record at byte \(end)")
  }
}
