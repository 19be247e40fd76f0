internal import CLibZip

/// Packs the bytes of one member.
enum ZipEncoder {
  struct Packed: Equatable {
    var data: [UInt8]
    var checksum: UInt32
  }

  /// Packs bytes by a method, which is 0 (stored) or 8 (deflated).
  ///
  /// libzip makes an archive of one member in memory, and its data are taken out of that.
  /// - Throws: ``BundleError`` with code `io`.
  static func pack(_ bytes: [UInt8], method: UInt16) throws(BundleError) -> Packed {
    let archive = try oneMemberArchive(bytes, method: method)
    guard archive.count >= EndRecord.length else { throw unexpected }
    let end = archive.count - EndRecord.length
    let record = try CentralRecord(
      checking: archive.span.bytes, at: Int(archive.uint32(at: end + 16)))
    let start = Int(record.offset)
    guard start + LocalHeader.length <= archive.count,
      let header = LocalHeader.fullLength(Array(archive[start..<start + LocalHeader.length])),
      record.compressedSize <= UInt64(archive.count - start - header), record.size == bytes.count
    else { throw unexpected }
    let data = Array(archive[(start + header)...].prefix(Int(record.compressedSize)))
    if record.method == method { return Packed(data: data, checksum: record.checksum) }
    // libzip stores what has no bytes; an empty deflate stream is one final block of nothing.
    guard bytes.isEmpty, method == 8 else { throw unexpected }
    return Packed(data: [0x03, 0x00], checksum: 0)
  }

  private static let unexpected = BundleError(.io, detail: "libzip made an archive of another form")

  private static func oneMemberArchive(
    _ bytes: [UInt8], method: UInt16
  ) throws(BundleError) -> [UInt8] {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let output = zip_source_buffer_create(nil, 0, 0, &error) else {
      throw BundleError(.io, detail: "cannot pack: \(ZipFailure.text(&error))")
    }
    // The archive's end takes its reference away; this one is for reading afterwards.
    zip_source_keep(output)
    defer { zip_source_free(output) }
    guard let archive = zip_open_from_source(output, ZIP_TRUNCATE, &error) else {
      zip_source_free(output)
      throw BundleError(.io, detail: "cannot pack: \(ZipFailure.text(&error))")
    }
    // libzip reads the bytes when it closes the archive, so they stay in place until then.
    let failed = bytes.withUnsafeBytes { buffer -> Bool in
      let input = zip_source_buffer(archive, buffer.baseAddress, zip_uint64_t(buffer.count), 0)
      guard let input else { return true }
      let index = zip_file_add(archive, "m", input, 0)
      guard index >= 0 else {
        zip_source_free(input)
        return true
      }
      let kind = method == 8 ? ZIP_CM_DEFLATE : ZIP_CM_STORE
      return zip_set_file_compression(archive, 0, kind, 0) != 0 || zip_close(archive) != 0
    }
    if failed {
      let why = ZipFailure.text(zip_get_error(archive))
      zip_discard(archive)
      throw BundleError(.io, detail: "cannot pack: \(why)")
    }
    return try contents(of: output)
  }

  private static func contents(of source: OpaquePointer) throws(BundleError) -> [UInt8] {
    var status = zip_stat_t()
    zip_stat_init(&status)
    guard zip_source_stat(source, &status) == 0, zip_source_open(source) == 0 else {
      throw unexpected
    }
    defer { zip_source_close(source) }
    var bytes = [UInt8](repeating: 0, count: Int(clamping: status.size))
    let count = bytes.withUnsafeMutableBytes {
      zip_source_read(source, $0.baseAddress, zip_uint64_t($0.count))
    }
    guard count == bytes.count else { throw unexpected }
    return bytes
  }
}
