internal import CLibZip

/// Unpacks one member through libzip, which also checks the checksum.
final class ZipReader {
  private let window: ZipWindow
  private let archive: OpaquePointer
  private let file: OpaquePointer
  private let member: String

  /// - Throws: ``BundleError`` with code `inconsistent`, `io`.
  init(
    file: InputFile, data: Range<UInt64>, record: CentralRecord, member: String
  ) throws(BundleError) {
    self.member = member
    window = ZipWindow(file: file, data: data, record: record)
    let out = BundleError(.io, member: member, detail: "no memory to unpack it")
    guard let source = window.makeSource() else { throw out }
    var error = zip_error_t()
    zip_error_init(&error)
    defer { zip_error_fini(&error) }
    guard let archive = zip_open_from_source(source, ZIP_RDONLY, &error) else {
      zip_source_free(source)
      throw window.failure
        ?? BundleError(
          .inconsistent, member: member, detail: "cannot unpack it: \(ZipFailure.text(&error))")
    }
    guard let opened = zip_fopen_index(archive, 0, 0) else {
      let why = ZipFailure.text(zip_get_error(archive))
      zip_discard(archive)
      throw window.failure
        ?? BundleError(.inconsistent, member: member, detail: "cannot unpack it: \(why)")
    }
    self.archive = archive
    self.file = opened
  }

  deinit {
    zip_fclose(file)
    zip_discard(archive)
  }

  /// Fills an array from its start; fewer bytes than it holds mean the end.
  func fill(_ buffer: inout [UInt8]) throws(BundleError) -> Int {
    let count = buffer.withUnsafeMutableBytes { buffer -> Int? in
      guard let base = buffer.baseAddress else { return 0 }
      var done = 0
      while done < buffer.count {
        let count = zip_fread(file, base + done, zip_uint64_t(buffer.count - done))
        if count < 0 { return nil }
        if count == 0 { break }
        done += Int(count)
      }
      return done
    }
    if let count { return count }
    if let failure = window.failure { throw failure }
    let error = zip_file_get_error(file)
    let isChecksum = error.map { zip_error_code_zip($0) == ZIP_ER_CRC } ?? false
    throw BundleError(
      isChecksum ? .checksum : .inconsistent, member: member,
      detail: isChecksum
        ? "its bytes do not have the checksum that the archive tells"
        : "cannot unpack it: \(ZipFailure.text(error))")
  }
}
