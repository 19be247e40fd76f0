/// Signs a Mach-O file ad hoc: every slice of it, into a new file, in blocks.
struct MachOSigning {
  /// What came of a file.
  struct Result {
    /// The CDHash of each slice, of 20 bytes, in the file's order.
    var cdHashes: [[UInt8]] = []
    /// Bytes of the new file.
    var size: UInt64 = 0
  }

  /// Takes bytes that follow one another.
  typealias Output = ([UInt8]) throws(SigningError) -> Void

  /// A slice with all that can be told of its signature before its code is hashed.
  private struct Part {
    let slice: MachOSlice
    let layout: SliceLayout
    let directory: CodeDirectoryBuilder
    /// Where it begins in the new file.
    var offset: UInt64 = 0
  }

  /// Bytes that are read at a time.
  private static let blockSize = 1 << 20
  /// The largest alignment of a slice that is kept, as a power of two: 1 MiB. `lipo` knows none above 2^15.
  private static let largestAlignment: UInt32 = 20

  private let source: any ByteSource
  private let file: MachOFile
  private let blobs: SignatureBlobs
  private var parts: [Part] = []

  /// Works out where everything goes. Nothing is written yet.
  /// - Throws: ``SigningError`` with codes `unsupported`, `malformed`, and those of reading.
  init(
    _ source: any ByteSource, _ file: MachOFile, seal: CodeDirectoryBuilder.Seal,
    entitlements: Entitlements?, limits: SigningLimits = .standard
  ) throws(SigningError) {
    self.source = source
    self.file = file
    blobs = seal.blobs
    for slice in file.slices {
      var layout = try SliceLayout(slice, of: source)
      var seal = seal
      // Where no bundle has an Info.plist, a section stands for it.
      if seal.infoPlist == nil {
        seal.infoPlist = try slice.embeddedInfoPlist(of: source, limits: limits)
      }
      let directory = try CodeDirectoryBuilder(
        seal, codeLimit: layout.codeLimit,
        execSegment: CodeDirectoryExecSegment(of: slice, entitlements: entitlements))
      try layout.setSignature(size: blobs.superBlobSize(codeDirectory: directory.size))
      parts.append(Part(slice: slice, layout: layout, directory: directory))
    }
    try place()
  }

  /// The parts by where they lie.
  private var order: [Int] {
    parts.indices.sorted {
      parts[$0].slice.range.lowerBound < parts[$1].slice.range.lowerBound
    }
  }

  private var fatHeaderSize: UInt64 {
    file.isFat ? 8 + UInt64(parts.count) * (file.isFat64 ? 32 : 20) : 0
  }

  /// Puts the slices one behind the other, each aligned as it was.
  private mutating func place() throws(SigningError) {
    var end = fatHeaderSize
    var oldEnd = end
    for index in order {
      let slice = parts[index].slice
      guard slice.alignment <= Self.largestAlignment else {
        throw SigningError(
          .unsupported,
          detail: "the code for \(slice.architecture) is aligned to "
            + "2^\(slice.alignment) bytes, and 2^\(Self.largestAlignment) at most are kept")
      }
      try checkUnused(oldEnd..<slice.range.lowerBound)
      oldEnd = slice.range.upperBound
      let unit = UInt64(1) << UInt64(slice.alignment)
      parts[index].offset = (end + unit - 1) / unit * unit
      end = parts[index].offset + parts[index].layout.size
    }
    try checkUnused(oldEnd..<source.size)
    guard !file.isFat || file.isFat64 || end <= UInt64(UInt32.max) else {
      throw SigningError(.unsupported, detail: "a fat file of 4 GiB needs a header of 64 bits")
    }
  }

  private func checkUnused(_ range: Range<UInt64>) throws(SigningError) {
    guard try source.holdsZeros(range) else {
      throw SigningError(
        .malformed, offset: range.lowerBound,
        detail: "the file has bytes there that belong to no architecture")
    }
  }

  /// Writes the whole signed file.
  /// - Throws: ``SigningError`` with codes `crypto`, `truncated`, `unreadable`, `io`, and those of the
  ///   output.
  func write(to output: Output) throws(SigningError) -> Result {
    var result = Result(cdHashes: [[UInt8]](repeating: [], count: parts.count))
    if file.isFat {
      try output(try fatHeader())
      result.size = fatHeaderSize
    }
    for index in order {
      let part = parts[index]
      try Self.fill(part.offset - result.size, output)
      result.cdHashes[index] = try write(part, to: output)
      result.size = part.offset + part.layout.size
    }
    return result
  }

  /// The header with the new places: `fat_header`, then `fat_arch` or `fat_arch_64` of `<mach-o/fat.h>`.
  private func fatHeader() throws(SigningError) -> [UInt8] {
    var bytes = Array(try source.bytes(at: 0, count: 8))
    let entrySize = file.isFat64 ? 32 : 20
    for (index, part) in parts.enumerated() {
      let old = try source.bytes(at: UInt64(8 + index * entrySize), count: entrySize)
      bytes += old.prefix(8)
      if file.isFat64 {
        bytes.append(long: part.offset)
        bytes.append(long: part.layout.size)
        bytes += old.dropFirst(24)
      } else {
        bytes.append(word: UInt32(truncatingIfNeeded: part.offset))
        bytes.append(word: UInt32(truncatingIfNeeded: part.layout.size))
        bytes += old.dropFirst(16)
      }
    }
    return bytes
  }

  /// Writes a slice and its signature, and returns its CDHash.
  private func write(_ part: Part, to output: Output) throws(SigningError) -> [UInt8] {
    let pages = try PageHashes(pageSize: CodeDirectoryBuilder.pageSize)
    let layout = part.layout
    let bytes = try part.slice.bytes(of: source)
    try pages.add(layout.head)
    try output(layout.head)
    var place = UInt64(layout.head.count)
    while place < layout.contentEnd {
      let count = Int(min(UInt64(Self.blockSize), layout.contentEnd - place))
      let block = try bytes.bytes(at: place, count: count)
      try pages.add(block)
      try output(block)
      place += UInt64(count)
    }
    let padding = [UInt8](repeating: 0, count: Int(UInt64(layout.codeLimit) - layout.contentEnd))
    try pages.add(padding)
    try output(padding)
    let directory = part.directory.bytes(codeHashes: try pages.finish())
    let signature = blobs.superBlob(codeDirectory: directory)
    try output(signature)
    try Self.fill(layout.signatureSize - UInt64(signature.count), output)
    return Array(try HashAlgorithm.sha256.hash(directory).prefix(20))
  }

  private static func fill(_ count: UInt64, _ output: Output) throws(SigningError) {
    guard count > 0 else { return }
    try output([UInt8](repeating: 0, count: Int(count)))
  }
}

/// The SHA-256 hashes of pages whose bytes come in blocks of any size.
private final class PageHashes {
  private let hasher: HashAlgorithm.Hasher
  private let pageSize: Int
  private var filled = 0
  private var hashes: [UInt8] = []

  init(pageSize: Int) throws(SigningError) {
    hasher = try HashAlgorithm.Hasher(.sha256)
    self.pageSize = pageSize
  }

  func add(_ bytes: [UInt8]) throws(SigningError) {
    var place = 0
    while place < bytes.count {
      let count = min(pageSize - filled, bytes.count - place)
      hasher.update(bytes[place..<place + count])
      filled += count
      place += count
      if filled == pageSize {
        hashes += try hasher.finish()
        filled = 0
      }
    }
  }

  /// The hashes one after another, the last of a page that may be shorter.
  func finish() throws(SigningError) -> [UInt8] {
    if filled > 0 { hashes += try hasher.finish() }
    filled = 0
    return hashes
  }
}
