#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Fills a new folder. Every step goes through open folders and follows no link, and folders get
/// their own mode and time last.
final class FolderWriter {
  /// Hears how many bytes all files have, block by block.
  var progress: ((UInt64) -> Void)?
  private var written: UInt64 = 0
  private let root: Directory
  private let synchronizes: Bool
  /// Files that were flushed one by one. Each waits for the disk, so from some number on the whole file
  /// system is flushed at the end instead.
  private var flushedFiles = 0
  private static let mostFlushedFiles = 100
  /// Whether copies of files share blocks with them; false from the first time that could not be done.
  var sharesBlocks = false
  private var folders: [(path: [UInt8], permissions: UInt16, time: timespec?)] = []
  /// Folders that had no entry of their own and are to be flushed: not more than files are, since each
  /// path may be long.
  private var plainFolders: Set<[UInt8]> = []
  /// The folder that was used last: most entries lie beside their neighbour.
  private var last: (path: [UInt8], directory: Directory)

  /// Fills a folder, and has each file and folder reach the disk where that is asked for.
  init(_ root: Directory, synchronizes: Bool) {
    self.root = root
    self.synchronizes = synchronizes
    last = ([], root)
  }

  /// Makes a folder, and remembers the mode and time that it gets in ``finish()``.
  func makeFolder(
    _ path: ArraySlice<UInt8>, permissions: UInt16, time: timespec?
  ) throws(BundleError) {
    if path.isEmpty {
      folders.append(([], permissions, time))
      return
    }
    let (parent, name) = try split(path)
    let number = try TemporaryFiles.step { _ in
      parent.makeFolder(name, mode: 0o700) == 0 ? 0 : errno
    }
    guard number == 0 || (number == EEXIST && parent.status(name)?.kind == .directory) else {
      throw failure(path, number)
    }
    folders.append((Array(path), permissions, time))
  }

  /// Makes the folders above a path that are not there yet.
  func makeFolders(above path: ArraySlice<UInt8>) throws(BundleError) {
    guard let slash = path.lastIndex(of: MemberName.slash), last.path[...] != path[..<slash] else {
      return
    }
    var current = root
    var whole: [UInt8] = []
    for part in path[..<slash].split(separator: MemberName.slash) {
      let number = try TemporaryFiles.step { [current] _ in
        current.makeFolder(part, mode: 0o755) == 0 ? 0 : errno
      }
      guard number == 0 || number == EEXIST else { throw failure(path, number) }
      whole += (whole.isEmpty ? [] : [MemberName.slash]) + part
      if number == 0, synchronizes, !flushesAll { plainFolders.insert(whole) }
      do throws(BundleError) {
        current = try current.directory(part, path: MemberName.display(path))
      } catch {
        throw blocked(path, error)
      }
    }
  }

  /// Makes a file of a reader's bytes, with the extended attributes of another one where it is given.
  func makeFile(
    _ path: ArraySlice<UInt8>, permissions: UInt16, time: timespec?, from reader: MemberReader,
    like original: InputFile? = nil
  ) throws(BundleError) {
    let file = try open(path)
    // Where the original has holes, zeros need no room here either.
    let keepsHoles = original?.status.isSparse == true
    var buffer = [UInt8](repeating: 0, count: reader.bufferSize)
    while true {
      let count = try reader.fill(&buffer)
      guard keepsHoles ? file.writeSparsely(buffer, count: count) : file.write(buffer[..<count])
      else { throw failure(path, errno) }
      advance(by: UInt64(count))
      if count < buffer.count { break }
    }
    if let original { _ = file.copyExtendedAttributes(from: original) }
    guard file.finish(permissions: permissions, time: time, synchronizes: flushesNext()) else {
      throw failure(path, errno)
    }
  }

  /// Makes a file with the bytes and extended attributes of another one, of which it shares the blocks
  /// where that is wanted and the file system can.
  func makeCopy(
    _ path: ArraySlice<UInt8>, of original: InputFile, permissions: UInt16, time: timespec?
  ) throws(BundleError) {
    guard sharesBlocks, let file = try openClone(path, of: original) else {
      let reader = MemberReader(
        file: original, range: 0..<original.size, member: MemberName.display(path))
      try makeFile(path, permissions: permissions, time: time, from: reader, like: original)
      return
    }
    advance(by: original.size)
    _ = file.copyExtendedAttributes(from: original)
    guard file.finish(permissions: permissions, time: time, synchronizes: flushesNext()) else {
      throw failure(path, errno)
    }
  }

  private func advance(by count: UInt64) {
    written &+= count
    progress?(written)
  }

  /// Whether there is so much to flush that the whole file system is flushed at the end.
  private var flushesAll: Bool {
    Directory.canSynchronizeFileSystem
      && max(flushedFiles, plainFolders.count) >= Self.mostFlushedFiles
  }

  /// Whether the next file is flushed by itself.
  private func flushesNext() -> Bool {
    guard synchronizes else { return false }
    if flushesAll { return false }
    flushedFiles += 1
    return true
  }

  private func open(_ path: ArraySlice<UInt8>) throws(BundleError) -> OutputFile {
    let (parent, name) = try split(path)
    var opened: Int32 = -1
    let number = try TemporaryFiles.step { _ in
      opened = parent.openFile(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
      return opened >= 0 ? 0 : errno
    }
    guard number == 0 else { throw failure(path, number) }
    return OutputFile(opened)
  }

  /// A new file that shares blocks with another one, nil where that cannot be done.
  private func openClone(
    _ path: ArraySlice<UInt8>, of original: InputFile
  ) throws(BundleError) -> OutputFile? {
    let (parent, name) = try split(path)
    var opened: Int32 = -1
    let number = try TemporaryFiles.step { _ in
      opened = parent.openClone(name, of: original, mode: 0o600)
      return opened >= 0 ? 0 : errno
    }
    guard opened < 0 else { return OutputFile(opened) }
    // A file that could not be removed again is in the way of a copy.
    guard parent.status(name) == nil else { throw failure(path, number) }
    sharesBlocks = try FileCloning.outcome(number, "cannot write \(MemberName.display(path))")
    return nil
  }

  /// Makes a symbolic link.
  func makeLink(
    _ path: ArraySlice<UInt8>, target: [UInt8], time: timespec?
  ) throws(BundleError) {
    let (parent, name) = try split(path)
    let number = try TemporaryFiles.step { _ in
      parent.makeLink(name, to: target) == 0 ? 0 : errno
    }
    guard number == 0 else { throw failure(path, number) }
    if let time { parent.setTime(time, of: name) }
  }

  /// Gives the folders their modes and times, and the extended attributes of those of the same paths in
  /// another one where it is given. Inner folders come first.
  func finish(attributesFrom original: Directory? = nil) throws(BundleError) {
    let flushesFolders = synchronizes && !flushesAll
    if flushesFolders {
      for path in plainFolders where try root.directory(at: path).synchronize() != 0 {
        throw failure(path[...], errno)
      }
    }
    for folder in folders.reversed() {
      let directory = try root.directory(at: folder.path)
      if let original {
        _ = directory.copyExtendedAttributes(from: try original.directory(at: folder.path))
      }
      if flushesFolders, directory.synchronize() != 0 { throw failure(folder.path[...], errno) }
      if let time = folder.time, directory.setTime(time) != 0 {
        throw failure(folder.path[...], errno)
      }
      guard directory.setPermissions(folder.permissions) == 0 else {
        throw failure(folder.path[...], errno)
      }
    }
    if synchronizes, flushesAll, !root.synchronizeFileSystem() {
      throw .writing(errno, "cannot flush the file system")
    }
  }

  private func split(
    _ path: ArraySlice<UInt8>
  ) throws(BundleError) -> (Directory, ArraySlice<UInt8>) {
    let slash = path.lastIndex(of: MemberName.slash)
    let parent = slash.map { path[..<$0] } ?? []
    if last.path[...] != parent {
      do throws(BundleError) {
        last = (Array(parent), try root.directory(at: parent))
      } catch {
        throw blocked(path, error)
      }
    }
    return (last.directory, slash.map { path[($0 + 1)...] } ?? path)
  }

  /// The folder is this writer's own, so what cannot be entered as a folder is another member.
  private func blocked(_ path: ArraySlice<UInt8>, _ error: BundleError) -> BundleError {
    guard error.code == .notFound || error.code == .pathEscapes else { return error }
    return BundleError(
      .duplicateMember, member: MemberName.display(path),
      detail: "a member above it is no folder")
  }

  private func failure(_ path: ArraySlice<UInt8>, _ number: Int32) -> BundleError {
    let shown = MemberName.display(path)
    if number == EEXIST {
      return BundleError(
        .duplicateMember, member: shown, detail: "two members fall on this path")
    }
    var error = BundleError.writing(number, "cannot write it")
    error.member = shown
    return error
  }
}

/// An open file that is written from start to end.
private struct OutputFile: ~Copyable, DescriptorOwner {
  private let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  borrowing func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result { body(descriptor) }

  /// Sets time and mode; false leaves the cause in `errno`.
  func finish(permissions: UInt16, time: timespec?, synchronizes: Bool) -> Bool {
    if let time, futimens(descriptor, [time, time]) != 0 { return false }
    // A mode without write permission is no hindrance: the descriptor is open.
    guard fchmod(descriptor, mode_t(permissions)) == 0 else { return false }
    return !synchronizes || retrying { fsync(descriptor) } == 0
  }

  /// Writes the first bytes of an array, and leaves out blocks of zeros; false leaves the cause in
  /// `errno`.
  func writeSparsely(_ bytes: [UInt8], count: Int) -> Bool {
    let step = 1 << 16
    for start in stride(from: 0, to: count, by: step) {
      let part = bytes[start..<min(start + step, count)]
      if part.contains(where: { $0 != 0 }) {
        guard write(part) else { return false }
      } else {
        let end = lseek(descriptor, off_t(part.count), SEEK_CUR)
        guard end >= 0, ftruncate(descriptor, end) == 0 else { return false }
      }
    }
    return true
  }

  /// Writes bytes; false leaves the cause in `errno`.
  func write(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return true }
      var done = 0
      while done < buffer.count {
        let written = retrying { put(descriptor, base + done, buffer.count - done) }
        guard written > 0 else { return false }
        done += written
      }
      return true
    }
  }
}

private func put(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
