#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension TemporaryFile {
  /// Writes a range of another file to a place, piece by piece through the buffer.
  /// - Throws: ``BundleError`` with codes `inputChanged`, `io`.
  func copy(
    _ range: Range<UInt64>, of file: InputFile, to offset: UInt64, _ buffer: inout [UInt8]
  ) throws(BundleError) {
    var done: UInt64 = 0
    let count = range.upperBound - range.lowerBound
    while done < count {
      let wanted = Int(min(UInt64(buffer.count), count - done))
      try file.fillWhole(&buffer, count: wanted, at: range.lowerBound + done)
      try write(buffer[..<wanted], at: offset + done)
      done += UInt64(wanted)
    }
  }

  /// Makes the file with all blocks of another, nil where the file system cannot share them.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `io`.
  static func sharing(
    _ file: InputFile, for place: OutputPlace
  ) throws(BundleError) -> TemporaryFile? {
    let doing = "cannot make a file in \(place.folderPath)"
    let nameless = openNameless(in: place.folder)
    if nameless >= 0 {
      let made = TemporaryFile(place, descriptor: nameless, end: file.size, name: nil)
      let number = file.withDescriptor { FileCloning.clone($0, into: nameless) }
      return try FileCloning.outcome(number, doing) ? made : nil
    }
    let hidden = place.hiddenName()
    var opened: Int32 = -1
    let number = try TemporaryFiles.step { paths in
      opened = place.folder.openClone(hidden, of: file, mode: 0o600)
      guard opened >= 0 else { return errno }
      paths.insert(place.join(hidden))
      return 0
    }
    guard try FileCloning.outcome(number, doing) else { return nil }
    return TemporaryFile(place, descriptor: opened, end: file.size, name: hidden)
  }

  /// Lets a part of this file share the blocks of a part of another; false where the file system cannot.
  ///
  /// Bounds and place are multiples of ``blockSize``.
  /// - Throws: ``BundleError`` with code `io`.
  func share(
    _ part: Range<UInt64>, of file: InputFile, at offset: UInt64
  ) throws(BundleError) -> Bool {
    let number = file.withDescriptor {
      FileCloning.clone(part, of: $0, into: descriptor, at: offset)
    }
    guard try FileCloning.outcome(number, "cannot write \(place.path)") else { return false }
    grow(to: offset + (part.upperBound - part.lowerBound))
    return true
  }

  /// The size of the file system's blocks, nil where it tells none that can be right.
  var blockSize: Int? {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0 else { return nil }
    let size = Int(clamping: status.f_bsize)
    return size >= 512 && size <= MemberPadding.limit && size & (size - 1) == 0 ? size : nil
  }
}
