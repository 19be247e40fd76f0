internal import CLibZip

/// Makes a new archive through libzip.
final class ZipPacker {
  private var archive: OpaquePointer?
  private let failures = ZipFailures()

  /// - Throws: ``BundleError`` with code `io`.
  init(_ file: TemporaryFile) throws(BundleError) {
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let source = ZipPackSink(file, failures: failures).makeSource() else {
      throw BundleError(.io, detail: "no memory to pack")
    }
    archive = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error)
    guard archive != nil else {
      zip_source_free(source)
      throw BundleError(.io, detail: "cannot pack: \(ZipFailure.text(&error))")
    }
  }

  deinit {
    if let archive { zip_discard(archive) }
  }

  /// A member's mode (type and permission bits) and modification time.
  struct Attributes {
    var mode: UInt16
    var seconds: Int64
  }

  /// Adds an entry for a folder.
  func addFolder(_ name: [UInt8], _ attributes: Attributes) throws(BundleError) {
    let index = withName(name) { zip_dir_add(archive, $0, zip_flags_t(ZIP_FL_ENC_GUESS)) }
    try set(index, attributes, isFolder: true, name: name)
  }

  /// Adds a file or, of its target's bytes, a link. Content is read in ``close()``.
  func add(
    _ name: [UInt8], _ content: ZipPackSource.Content, size: UInt64, _ attributes: Attributes
  ) throws(BundleError) {
    let packSource = ZipPackSource(
      content, size: size, seconds: attributes.seconds, failures: failures)
    guard let source = packSource.makeSource() else {
      throw BundleError(.io, detail: "no memory to pack")
    }
    let index = withName(name) {
      zip_file_add(archive, $0, source, zip_flags_t(ZIP_FL_ENC_GUESS))
    }
    if index < 0 { zip_source_free(source) }
    try set(index, attributes, isFolder: false, name: name)
  }

  private func set(
    _ index: zip_int64_t, _ attributes: Attributes, isFolder: Bool, name: [UInt8]
  ) throws(BundleError) {
    guard index >= 0 else { throw failure("cannot pack \(MemberName.display(name))") }
    let place = zip_uint64_t(index)
    let external = UInt32(attributes.mode) << 16 | (isFolder ? 0x10 : 0)
    guard
      zip_file_set_external_attributes(
        archive, place, 0, zip_uint8_t(ZIP_OPSYS_UNIX), external) == 0,
      zip_file_set_mtime(archive, place, time_t(attributes.seconds), 0) == 0
    else { throw failure("cannot pack \(MemberName.display(name))") }
    // A link's few bytes are stored, as every packer does.
    if attributes.mode & 0o170000 == 0o120000 {
      guard zip_set_file_compression(archive, place, ZIP_CM_STORE, 0) == 0 else {
        throw failure("cannot pack \(MemberName.display(name))")
      }
    }
  }

  /// Packs all that was added and writes the archive.
  func close() throws(BundleError) {
    guard zip_close(archive) == 0 else { throw failure("cannot pack") }
    archive = nil
  }

  private func failure(_ doing: String) -> BundleError {
    failures.first
      ?? BundleError(.io, detail: "\(doing): \(ZipFailure.text(zip_get_error(archive)))")
  }
}
