#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A file in the making: in its destination's folder, readable by its owner alone, and gone with
/// this object unless it was published.
final class TemporaryFile: DescriptorOwner {
  let place: OutputPlace
  let descriptor: Int32
  /// How many bytes it has.
  private(set) var end: UInt64 = 0
  /// Its name, nil while it has none (`O_TMPFILE`).
  private var name: [UInt8]?

  /// Makes the file, without a name where the file system can and `canBeNameless` lets it.
  /// - Throws: ``BundleError`` with code `outputNotWritable` or `io`.
  init(for place: OutputPlace, canBeNameless: Bool = true) throws(BundleError) {
    self.place = place
    let nameless = canBeNameless ? Self.openNameless(in: place.folder) : -1
    if nameless >= 0 {
      descriptor = nameless
      return
    }
    let hidden = place.hiddenName()
    var opened: Int32 = -1
    let number = try TemporaryFiles.step { paths in
      opened = place.folder.openFile(hidden, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      guard opened >= 0 else { return errno }
      paths.insert(place.join(hidden))
      return 0
    }
    descriptor = opened
    guard number == 0 else {
      throw .writing(number, "cannot make a file in \(place.folderPath)")
    }
    name = hidden
  }

  /// Takes over an open descriptor.
  init(_ place: OutputPlace, descriptor: Int32, end: UInt64, name: [UInt8]?) {
    self.place = place
    self.descriptor = descriptor
    self.end = end
    self.name = name
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let name { discard(name) }
  }

  /// Calls with the descriptor, which stays open at least that long.
  func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result {
    withExtendedLifetime(self) { body(descriptor) }
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(BundleError) {
    try write(bytes[...], at: end)
  }

  /// Writes bytes at a place.
  func write(_ bytes: [UInt8], at offset: UInt64) throws(BundleError) {
    try write(bytes[...], at: offset)
  }

  /// Writes bytes at a place.
  func write(_ bytes: ArraySlice<UInt8>, at offset: UInt64) throws(BundleError) {
    let number = bytes.withUnsafeBytes { buffer -> Int32 in
      guard let base = buffer.baseAddress else { return 0 }
      var done = 0
      while done < buffer.count {
        guard let to = offset.plus(UInt64(done)).flatMap({ off_t(exactly: $0) }) else {
          return EFBIG
        }
        let written = retrying { pwrite(descriptor, base + done, buffer.count - done, to) }
        guard written > 0 else { return written == 0 ? EIO : errno }
        done += written
      }
      return 0
    }
    guard number == 0 else { throw .writing(number, "cannot write \(place.path)") }
    grow(to: offset + UInt64(bytes.count))
  }

  /// Tells that the file has at least so many bytes now.
  func grow(to length: UInt64) { end = max(end, length) }

  /// Makes the file shorter, or as long as it is.
  func truncate(to length: Int) throws(BundleError) {
    guard retrying({ ftruncate(descriptor, off_t(length)) }) == 0 else {
      throw .writing(errno, "cannot write \(place.path)")
    }
    end = UInt64(length)
  }

  /// Has the bytes reach the disk.
  func synchronize() throws(BundleError) {
    guard retrying({ fsync(descriptor) }) == 0 else {
      throw .writing(errno, "cannot flush \(place.path)")
    }
  }

  /// Sets the modification time.
  func setTime(_ seconds: Int64) throws(BundleError) {
    var times = [timespec(), timespec()]
    times[0].tv_sec = time_t(seconds)
    times[1].tv_sec = time_t(seconds)
    guard futimens(descriptor, times) == 0 else {
      throw .writing(errno, "cannot set the time of \(place.path)")
    }
  }

  /// A second look at the same file, for reading.
  func reopened() throws(BundleError) -> InputFile {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .writing(errno, "cannot read back \(place.path)") }
    return try InputFile(descriptor: copy, path: place.path)
  }

  /// Gives the bytes to an observer, block by block.
  /// - Throws: ``BundleError`` with code `io`, also where they are not as many as were written.
  func readBack(to observer: (any CommitObserver)?) throws(BundleError) {
    guard let observer, observer.wantsBytes else { return }
    let file = try reopened()
    var buffer = [UInt8](repeating: 0, count: copyBufferSize)
    var next: UInt64 = 0
    while true {
      let count = try file.fill(&buffer, at: next)
      observer.read(buffer[..<count])
      next += UInt64(count)
      if count < buffer.count { break }
    }
    guard next == end else {
      throw BundleError(
        .io, detail: "\(place.path) reads back as \(next) bytes, \(end) were written")
    }
  }

  /// What publishing does beside naming the file.
  struct Finish {
    var replace: Bool
    var permissions: UInt16
    /// The file whose owner and extended attributes it gets, as far as this process may give them.
    var successorOf: InputFile?
    var synchronize: Bool
  }

  /// Gives the file its mode and its name, in one step that no reader sees halfway.
  /// `check` is called last before that, and stops it by throwing.
  /// - Throws: ``BundleError`` with code `outputExists` where something has the name and `replace`
  ///   is false.
  func publish(
    _ finish: Finish, check: () throws(BundleError) -> Void
  ) throws(BundleError) {
    if let file = finish.successorOf { try inherit(from: file) }
    guard fchmod(descriptor, mode_t(finish.permissions & 0o7777)) == 0 else {
      throw .writing(errno, "cannot set the mode of \(place.path)")
    }
    if finish.synchronize { try synchronize() }
    try check()
    try finish.replace ? replaceName() : takeName()
    if finish.synchronize { place.synchronize() }
  }

  private func inherit(from file: InputFile) throws(BundleError) {
    let (owner, group) = (file.status.owner, file.status.group)
    // Only a superuser can give files away; a member of the group can keep that.
    if owner != geteuid() || group != getegid(), fchown(descriptor, owner, group) != 0 {
      _ = fchown(descriptor, uid_t.max, group)
    }
    let lost = copyExtendedAttributes(from: file)
    guard lost.isEmpty else {
      throw BundleError(
        .io,
        detail:
          "cannot keep the extended attributes \(lost.joined(separator: ", ")) of \(file.path)")
    }
  }

  /// Takes a name that nothing may have. A hard link fails where the name is taken, a rename would
  /// not.
  private func takeName() throws(BundleError) {
    let number = try TemporaryFiles.step { _ in
      if let hidden = name {
        place.folder.link(hidden, to: place.name) == 0 ? 0 : errno
      } else {
        link(to: place.name) ? 0 : errno
      }
    }
    if number == 0 { return }
    // A file system without hard links: the check and the rename are two steps there.
    guard name != nil, [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK].contains(number), place.status == nil
    else { throw nameFailure(number) }
    try replaceName()
  }

  /// Takes the name from what has it. A file without a name gets a hidden one first, in the same
  /// step.
  private func replaceName() throws(BundleError) {
    guard place.status?.kind != .directory else {
      throw BundleError(.isDirectory, detail: "\(place.path) is a folder")
    }
    let hidden = name ?? place.hiddenName()
    let number = try TemporaryFiles.step { paths in
      if name == nil, !link(to: hidden) { return errno }
      guard place.folder.rename(hidden, to: place.name) == 0 else {
        let number = errno
        if name == nil { place.folder.remove(hidden, isFolder: false) }
        return number
      }
      paths.remove(place.join(hidden))
      return 0
    }
    guard number == 0 else { throw nameFailure(number) }
    name = nil
  }

  private func nameFailure(_ number: Int32) -> BundleError {
    number == EEXIST ? place.exists() : .writing(number, "cannot make \(place.path)")
  }

  private func discard(_ name: [UInt8]) {
    place.folder.remove(name, isFolder: false)
    TemporaryFiles.remove(place.join(name))
  }
}
