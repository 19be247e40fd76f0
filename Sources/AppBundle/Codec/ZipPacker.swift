internal import CLibZip

/// Makes a new archive through libzip.
final class ZipPacker {
  /// Hears how many bytes of all content are packed, block by block.
  var progress: ((UInt64) -> Void)?
  private var packed: UInt64 = 0
  private var archive: OpaquePointer?
  private let failures = ZipFailures()
  /// How hard members are deflated, 0 for not at all.
  private let level: UInt32

  /// - Throws: ``BundleError`` with code `io`.
  init(_ file: TemporaryFile, level: Int) throws(BundleError) {
    self.level = UInt32(max(0, min(level, 9)))
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
    enum Time {
      /// Seconds since 1970: as the local DOS time, and exactly in an extended timestamp field.
      case exact(Int64)
      /// This DOS time and nothing else.
      case dos(DOSTime)
    }

    var mode: UInt16
    var time: Time
  }

  /// Adds an entry for a folder.
  /// - Throws: ``BundleError`` with codes `limit`, `io`.
  func addFolder(_ name: [UInt8], _ attributes: Attributes) throws(BundleError) {
    // The slash at the end counts too.
    try check(name, longest: 0xFFFE)
    let index = withName(name) { zip_dir_add(archive, $0, zip_flags_t(ZIP_FL_ENC_GUESS)) }
    try set(index, attributes, isFolder: true, name: name)
  }

  /// Adds a file or, of its target's bytes, a link. Content is read in ``close()``.
  /// - Throws: ``BundleError`` with codes `limit`, `io`.
  func add(
    _ name: [UInt8], _ content: ZipPackSource.Content, size: UInt64, _ attributes: Attributes
  ) throws(BundleError) {
    try check(name, longest: 0xFFFF)
    // This object owns the archive, and that the source.
    let packSource = ZipPackSource(content, size: size, failures: failures) {
      [weak self] in self?.advance(by: UInt64($0))
    }
    guard let source = packSource.makeSource() else {
      throw BundleError(.io, detail: "no memory to pack")
    }
    let index = withName(name) {
      zip_file_add(archive, $0, source, zip_flags_t(ZIP_FL_ENC_GUESS))
    }
    if index < 0 { zip_source_free(source) }
    try set(index, attributes, isFolder: false, name: name)
  }

  private func advance(by count: UInt64) {
    packed &+= count
    progress?(packed)
  }

  /// A header has 16 bits for the length of a name (APPNOTE.TXT 4.4.10).
  private func check(_ name: [UInt8], longest: Int) throws(BundleError) {
    guard name.count <= longest else {
      throw BundleError(
        .limit, member: MemberName.brief(name),
        detail: "its path has \(name.count) bytes, and an archive takes at most \(longest)")
    }
  }

  private func set(
    _ index: zip_int64_t, _ attributes: Attributes, isFolder: Bool, name: [UInt8]
  ) throws(BundleError) {
    let place = zip_uint64_t(clamping: index)
    let external = UInt32(attributes.mode) << 16 | (isFolder ? 0x10 : 0)
    // libzip's own default is level 9, much more work than 6 for little less size, and it
    // heeds a level only beside a method. A link's few bytes are stored, as every packer does.
    let isStored = level == 0 || attributes.mode & 0o170000 == 0o120000
    guard index >= 0,
      zip_file_set_external_attributes(
        archive, place, 0, zip_uint8_t(ZIP_OPSYS_UNIX), external) == 0,
      isFolder
        || zip_set_file_compression(
          archive, place, isStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, isStored ? 0 : level) == 0,
      setTime(of: place, attributes.time)
    else { throw failure("cannot pack \(MemberName.display(name))") }
  }

  private func setTime(of place: zip_uint64_t, _ time: Attributes.Time) -> Bool {
    switch time {
    case .dos(let time):
      return zip_file_set_dostime(archive, place, time.time, time.date, 0) == 0
    case .exact(let seconds):
      guard zip_file_set_mtime(archive, place, time_t(seconds), 0) == 0 else { return false }
      // The field is of 32 bits, and readers differ about what the first one means.
      guard let stamp = Int32(exactly: seconds) else { return true }
      var data: [UInt8] = [1]
      data.append(integer: stamp)
      return zip_file_extra_field_set(
        archive, place, ExtraFields.extendedTimestamp, zip_uint16_t(ZIP_EXTRA_FIELD_NEW), data,
        zip_uint16_t(data.count), ZIP_FL_LOCAL | ZIP_FL_CENTRAL) == 0
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
