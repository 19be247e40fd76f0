/// A writer of zip archives with every header field under control. It shares no code with the
/// module: deflated members are one stored block each, and the checksum is computed bit by bit.
struct ArchiveBuilder {
  struct Entry {
    var name: [UInt8]
    var data: [UInt8]
    var method: UInt16 = 8
    var mode: UInt16 = 0o100644
    var madeBy: UInt16 = 0x031E
    var flags: UInt16 = 0
    /// Packed bytes in place of those that `method` makes.
    var packed: [UInt8]?
    var checksum: UInt32?
    var size: UInt32?
    var compressedSize: UInt32?
    var localName: [UInt8]?
    var localMethod: UInt16?
    var localFlags: UInt16?
    var localSizes: (compressed: UInt32, size: UInt32)?
    var localExtra: [UInt8] = []
    var extra: [UInt8] = []
    var comment: [UInt8] = []
    var hasDescriptor = false
    var descriptorHasSignature = true
    var usesZip64 = false
    /// The central record's offset, where it is not that of this entry.
    var offset: UInt32?
    var dosTime: (time: UInt16, date: UInt16) = (0x6451, 0x58B1)

    init(_ name: String, _ data: some Collection<UInt8>) {
      self.name = Array(name.utf8)
      self.data = Array(data)
    }

    init(_ name: String, _ text: String = "") { self.init(name, text.utf8) }

    var body: [UInt8] {
      if let packed { return packed }
      guard method == 8 else { return data }
      var block: [UInt8] = [1]
      block.little(UInt16(data.count))
      block.little(~UInt16(data.count))
      return block + data
    }
    var realChecksum: UInt32 { checksum ?? Self.crc32(data) }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
      var crc = UInt32.max
      for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      }
      return ~crc
    }
  }

  var entries: [Entry]
  var prefix: [UInt8] = []
  /// Whether offsets count from the file's start, prefix included.
  var countsPrefix = true
  var comment: [UInt8] = []
  var trailer: [UInt8] = []
  var usesZip64 = false
  var count: UInt16?
  var directorySize: UInt32?
  /// Writes the central directory backwards.
  var isReversed = false
  /// Bytes after the entry of a name.
  var gaps: [String: Int] = [:]

  init(_ entries: [Entry]) { self.entries = entries }

  /// The bytes of the archive.
  func bytes() -> [UInt8] {
    var file = prefix
    var records: [[UInt8]] = []
    for entry in entries {
      let offset = UInt32(file.count - (countsPrefix ? 0 : prefix.count))
      file += local(entry)
      file += [UInt8](repeating: 0, count: gaps[String(decoding: entry.name, as: UTF8.self)] ?? 0)
      records.append(record(entry, offset: entry.offset ?? offset))
    }
    let start = file.count - (countsPrefix ? 0 : prefix.count)
    let directory = Array((isReversed ? records.reversed() : records).joined())
    file += directory
    let size = directorySize ?? UInt32(directory.count)
    let count = count ?? UInt16(truncatingIfNeeded: records.count)
    if usesZip64 {
      let end = UInt64(file.count)
      file.little(UInt32(0x0606_4B50))
      file.little(UInt64(44))
      file.little(UInt32(0x002D_031E))
      file.little(UInt64(0))
      file.little(UInt64(records.count))
      file.little(UInt64(records.count))
      file.little(UInt64(directory.count))
      file.little(UInt64(start))
      file.little(UInt32(0x0706_4B50))
      file.little(UInt32(0))
      file.little(end)
      file.little(UInt32(1))
    }
    file.little(UInt32(0x0605_4B50))
    file.little(UInt32(0))
    file.little(usesZip64 ? UInt16.max : count)
    file.little(usesZip64 ? UInt16.max : count)
    file.little(usesZip64 ? UInt32.max : size)
    file.little(usesZip64 ? UInt32.max : UInt32(start))
    file.little(UInt16(comment.count))
    return file + comment + trailer
  }

  private func local(_ entry: Entry) -> [UInt8] {
    let body = entry.body
    let compressed = entry.compressedSize ?? UInt32(body.count)
    let size = entry.size ?? UInt32(entry.data.count)
    let name = entry.localName ?? entry.name
    var extra = entry.localExtra
    var sizes = entry.localSizes ?? (entry.hasDescriptor ? (0, 0) : (compressed, size))
    if entry.usesZip64 {
      extra = zip64([UInt64(sizes.size), UInt64(sizes.compressed)]) + extra
      sizes = (.max, .max)
    }
    var bytes: [UInt8] = []
    bytes.little(UInt32(0x0403_4B50))
    bytes.little(UInt16(20))
    bytes.little(entry.localFlags ?? entry.flags | (entry.hasDescriptor ? 8 : 0))
    bytes.little(entry.localMethod ?? entry.method)
    bytes.little(entry.dosTime.time)
    bytes.little(entry.dosTime.date)
    bytes.little(entry.hasDescriptor ? UInt32(0) : entry.realChecksum)
    bytes.little(sizes.compressed)
    bytes.little(sizes.size)
    bytes.little(UInt16(name.count))
    bytes.little(UInt16(extra.count))
    bytes += name + extra + body
    if entry.hasDescriptor {
      if entry.descriptorHasSignature { bytes.little(UInt32(0x0807_4B50)) }
      bytes.little(entry.realChecksum)
      if entry.usesZip64 {
        bytes.little(UInt64(compressed))
        bytes.little(UInt64(size))
      } else {
        bytes.little(compressed)
        bytes.little(size)
      }
    }
    return bytes
  }

  private func record(_ entry: Entry, offset: UInt32) -> [UInt8] {
    let compressed = entry.compressedSize ?? UInt32(entry.body.count)
    let size = entry.size ?? UInt32(entry.data.count)
    let wide = entry.usesZip64
    let extra =
      (wide ? zip64([UInt64(size), UInt64(compressed), UInt64(offset)]) : []) + entry.extra
    var bytes: [UInt8] = []
    bytes.little(UInt32(0x0201_4B50))
    bytes.little(entry.madeBy)
    bytes.little(UInt16(20))
    bytes.little(entry.flags | (entry.hasDescriptor ? 8 : 0))
    bytes.little(entry.method)
    bytes.little(entry.dosTime.time)
    bytes.little(entry.dosTime.date)
    bytes.little(entry.realChecksum)
    bytes.little(wide ? UInt32.max : compressed)
    bytes.little(wide ? UInt32.max : size)
    bytes.little(UInt16(entry.name.count))
    bytes.little(UInt16(extra.count))
    bytes.little(UInt16(entry.comment.count))
    bytes.little(UInt32(0))
    bytes.little(UInt32(entry.mode) << 16 | (entry.mode & 0o170000 == 0o040000 ? 0x10 : 0))
    bytes.little(wide ? UInt32.max : offset)
    // The two 16-bit fields before the attributes are the disk and the internal attributes.
    return bytes + entry.name + extra + entry.comment
  }

  private func zip64(_ values: [UInt64]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.little(UInt16(1))
    bytes.little(UInt16(values.count * 8))
    for value in values { bytes.little(value) }
    return bytes
  }
}

extension [UInt8] {
  mutating func little(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
