/// Apple's binary property lists, `bplist00`.
///
/// There is no published description; the format is what CFBinaryPList.c of Core Foundation reads
/// and writes. A header of 8 bytes is followed by objects, a table of their offsets, and a trailer
/// (``BinaryTrailer``). Containers refer to their items by index in the table.
enum BinaryPlist {
  /// Reads a binary property list. Shared objects are built once and stay shared.
  ///
  /// What the root does not reach is not looked at, except for its entry in the offset table.
  /// - Throws: ``PlistError`` with the byte, and the key path that was reached.
  static func parse(
    _ bytes: [UInt8], limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> ParsedPlist {
    try bytes.withUnsafeBufferPointer { buffer throws(PlistError) in
      let raw = UnsafeRawBufferPointer(buffer)
      let trailer = try BinaryTrailer(reading: raw, limits: limits, strictness: strictness)
      var parser = BinaryParser(
        BinaryObjects(bytes: raw, trailer: trailer), limits: limits, strictness: strictness)
      let (root, notes) = try parser.parse()
      var diagnostics = notes
      let unexplained = bytes.count - BinaryTrailer.size - trailer.tableEnd
      if unexplained > 0 {
        diagnostics.append(
          PlistDiagnostic(
            code: .surroundingBytes, location: .offset(trailer.tableEnd), keyPath: nil,
            detail: "\(unexplained) bytes between the offset table and the trailer"))
      }
      return ParsedPlist(
        root: root, layout: BinaryLayout(bytes: bytes, trailer: trailer, limits: limits),
        diagnostics: diagnostics)
    }
  }

  /// Writes a value as Core Foundation does: each container before its items, keys before values,
  /// equal leaves once, containers each time, every width the smallest.
  /// - Throws: ``PlistError`` with code `limit` for a value that is deeper or, with what is shared
  ///   written out, larger than ``ParseLimits/standard`` lets be read.
  static func serialize(_ value: PlistValue) throws(PlistError) -> [UInt8] {
    var numbering = BinaryNumbering(limits: .standard)
    _ = try numbering.add(value, depth: 0)
    try numbering.checkSize()
    return numbering.file()
  }
}
