/// The chunks of a PNG file.
///
/// Source: W3C, PNG (third edition), 5.2, 5.3 and 11.2.1. Xcode writes icons with a chunk `CgBI` before
/// `IHDR`: their data is raw deflate without zlib's header and checksum, and their pixels are blue,
/// green, red, multiplied with alpha.
struct PNGChunks {
  struct Chunk {
    let type: ArraySlice<UInt8>
    let body: ArraySlice<UInt8>
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  let all: [Chunk]
  let header: PNGHeader

  /// Reads the chunks up to `IEND`; what stands behind it does not matter. Checksums are left to the
  /// decoder.
  /// - Throws: ``IconError`` with codes `notPNG`, `malformed`.
  init(_ bytes: [UInt8]) throws(IconError) {
    guard bytes.starts(with: Self.signature) else {
      throw IconError(.notPNG, "it does not begin as a PNG does")
    }
    var chunks: [Chunk] = []
    var rest = bytes[Self.signature.count...]
    while chunks.last.map({ !$0.isOf("IEND") }) ?? true {
      guard let length = rest.bigEndian32, rest.count - 12 >= length else {
        throw IconError(.malformed, "it ends within a chunk")
      }
      let body = rest.startIndex + 8
      chunks.append(
        Chunk(type: rest[(body - 4)..<body], body: rest[body..<(body + length)]))
      rest = rest[(body + length + 4)...]
    }
    guard let header = chunks.first(where: { !$0.isOf("CgBI") }).flatMap(PNGHeader.init) else {
      throw IconError(.malformed, "its first chunk is no header")
    }
    all = chunks
    self.header = header
  }

  /// Whether Xcode wrote it in Apple's own form.
  var isApples: Bool { all.first?.isOf("CgBI") ?? false }

  /// The compressed pixels.
  var data: [UInt8] { all.filter { $0.isOf("IDAT") }.flatMap(\.body) }
}

/// What a PNG says of its pixels.
struct PNGHeader {
  let width: Int
  let height: Int
  let bitDepth: Int
  let colorType: Int
  /// The chunk's body as it stands.
  let bytes: ArraySlice<UInt8>

  /// Nil for a chunk that is no header or has no pixels.
  init?(_ chunk: PNGChunks.Chunk) {
    guard chunk.isOf("IHDR"), chunk.body.count == 13, let width = chunk.body.bigEndian32,
      let height = chunk.body.dropFirst(4).bigEndian32, width > 0, height > 0
    else { return nil }
    let rest = Array(chunk.body.dropFirst(8))
    self.width = width
    self.height = height
    bitDepth = Int(rest[0])
    colorType = Int(rest[1])
    bytes = chunk.body
  }

  /// The samples of a pixel, nil for a colour type that does not exist.
  var samples: Int? { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] }

  /// No more bytes than this come out of the compressed data: the rows, each behind its filter's
  /// number; the seven passes of an interlaced image have at most twice as many rows and one, a partial
  /// byte each.
  var unpackedLimit: Int {
    let bits = (samples ?? 4) * max(bitDepth, 1)
    let row = (width * bits + 7) / 8
    return row * height + 4 * height + 64
  }
}

extension PNGChunks.Chunk {
  func isOf(_ name: StaticString) -> Bool {
    type.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}

extension ArraySlice<UInt8> {
  /// The number in the first four bytes, nil where there are fewer and beyond 2^31 - 1, which no PNG
  /// has.
  var bigEndian32: Int? {
    guard count >= 4 else { return nil }
    let value = prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return value > UInt32(Int32.max) ? nil : Int(value)
  }
}
