internal import CZlib

/// Apple's form of PNG made a plain one, pixels aside: those stay blue, green, red and multiplied.
enum ApplePNG {
  /// Puts zlib's header before the raw deflate data and its checksum behind it, and leaves all chunks
  /// out but those that the pixels need.
  /// - Throws: ``IconError`` with code `malformed`.
  static func plain(_ chunks: PNGChunks) throws(IconError) -> [UInt8] {
    let raw = chunks.data
    let checksum = try adler(ofInflated: raw, limit: chunks.header.unpackedLimit)
    var png = PNGChunks.signature
    append("IHDR", Array(chunks.header.bytes), to: &png)
    for name in ["PLTE", "tRNS"] as [StaticString] {
      if let chunk = chunks.all.first(where: { $0.isOf(name) }) {
        append(name, Array(chunk.body), to: &png)
      }
    }
    // A window of 32 KiB, the fastest level (RFC 1950, 2.2).
    append("IDAT", [0x78, 0x01] + raw + bigEndian(checksum), to: &png)
    append("IEND", [], to: &png)
    return png
  }

  /// The Adler-32 of what raw deflate data holds; the bytes themselves are not kept.
  private static func adler(ofInflated raw: [UInt8], limit: Int) throws(IconError) -> UInt32 {
    guard let stream = InflateStream() else {
      throw IconError(.malformed, "no memory to unpack it")
    }
    var checksum = adler32(0, nil, 0)
    let isWhole = stream.unpack(raw, limit: limit) { block in
      checksum = adler32(checksum, block.baseAddress, UInt32(clamping: block.count))
    }
    guard isWhole else { throw IconError(.malformed, "its pixels cannot be unpacked") }
    return UInt32(truncatingIfNeeded: checksum)
  }

  private static func append(_ name: StaticString, _ body: [UInt8], to png: inout [UInt8]) {
    let typed =
      Array(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) + body
    png += bigEndian(UInt32(clamping: body.count))
    png += typed
    let checksum = typed.withUnsafeBufferPointer {
      crc32(0, $0.baseAddress, UInt32(clamping: $0.count))
    }
    png += bigEndian(UInt32(truncatingIfNeeded: checksum))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
