#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A name in an open folder, where an output goes.
struct OutputPlace: Sendable {
  let folder: Directory
  /// The folder's path, for messages and for ``TemporaryFiles``.
  let folderPath: String
  let name: [UInt8]

  /// The path for messages.
  var path: String { folderPath == "." ? String(decoding: name, as: UTF8.self) : join(name) }

  func join(_ name: [UInt8]) -> String {
    (folderPath.hasSuffix("/") ? folderPath : folderPath + "/")
      + String(decoding: name, as: UTF8.self)
  }

  /// Opens the folder of a path.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `isDirectory`.
  init(_ path: String) throws(BundleError) {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == MemberName.slash { bytes.removeLast() }
    let split = bytes.lastIndex(of: MemberName.slash)
    name = split.map { Array(bytes[($0 + 1)...]) } ?? bytes
    guard !name.isEmpty, name != [0x2E], name != [0x2E, 0x2E] else {
      throw BundleError(
        .isDirectory, detail: "\(path) is a folder", hint: "give the output's own name")
    }
    guard !bytes.contains(0) else {
      throw BundleError(.outputNotWritable, detail: "the output's path holds a zero byte")
    }
    folderPath =
      split.map { $0 == 0 ? "/" : String(decoding: bytes[..<$0], as: UTF8.self) } ?? "."
    folder = try Directory(folderPath, isOutput: true)
  }

  init(folder: Directory, folderPath: String, name: [UInt8]) {
    self.folder = folder
    self.folderPath = folderPath
    self.name = name
  }

  /// What stands there now.
  var status: FileStatus? { folder.status(name) }

  /// Sees to it that nothing stands there.
  /// - Throws: ``BundleError`` with code `outputExists`.
  func checkFree() throws(BundleError) {
    if status != nil { throw exists() }
  }

  /// Sees to it that a file may replace what stands there: only a regular file, for a device or a pipe
  /// would be gone, and of a link it cannot be told whether it or its target is meant.
  /// - Throws: ``BundleError`` with codes `isDirectory`, `outputOfOtherKind`.
  func checkTakesFile() throws(BundleError) {
    switch status?.kind {
    case nil, .file?: break
    case .directory?: throw BundleError(.isDirectory, detail: "\(path) is a folder")
    case .symbolicLink?:
      throw BundleError(
        .outputOfOtherKind, detail: "\(path) is a symbolic link", hint: "give what it leads to")
    case .other?: throw BundleError(.outputOfOtherKind, detail: "\(path) is no regular file")
    }
  }

  /// Sees to it that the input does not lie in a folder that the output replaces.
  /// - Throws: ``BundleError`` with code `outputOfOtherKind`.
  func checkHoldsNot(_ input: String) throws(BundleError) {
    guard status?.holds(input) == true else { return }
    throw BundleError(
      .outputOfOtherKind, detail: "\(path) holds the input, so it is not replaced",
      hint: "choose another place")
  }

  /// Sees to it that the output does not go into an input folder, which would change it.
  /// - Throws: ``BundleError`` with code `outputInInput`.
  func checkOutside(of input: String) throws(BundleError) {
    guard let root = FileStatus.following(input), root.holds(folderPath) else { return }
    throw BundleError(
      .outputInInput, detail: "\(path) would lie in the input itself",
      hint: "choose a place outside of it")
  }

  /// Makes a hidden folder beside the output, for its owner alone, and lists it among ``TemporaryFiles``.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `io`.
  func makeHiddenFolder() throws(BundleError) -> [UInt8] {
    let hidden = hiddenName()
    let number = try TemporaryFiles.step { paths in
      guard folder.makeFolder(hidden, mode: 0o700) == 0 else { return errno }
      paths.insert(join(hidden))
      return 0
    }
    guard number == 0 else { throw .writing(number, "cannot make a folder in \(folderPath)") }
    return hidden
  }

  /// A hidden name that nothing has.
  func hiddenName() -> [UInt8] {
    let digits = String(UInt64.random(in: .min ... .max), radix: 36)
    return Array(".ipa-inject-\(digits)".utf8)
  }

  func exists() -> BundleError {
    let canGiveWay = status?.kind == .file || status?.kind == .directory
    return BundleError(
      .outputExists, detail: "\(path) exists already",
      hint: canGiveWay ? "--force replaces it" : nil)
  }

  /// Makes the folder's entries last, where the file system can. The content is on the disk by then and
  /// the name is taken: there is nothing left that a failure could undo.
  func synchronize() { _ = folder.synchronize() }
}
