#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif
import Synchronization

/// What is half made and has a name, so that a program that ends early can remove it.
///
/// Files and folders that are being written enter and leave by themselves. What names, renames or
/// removes one of them is a step under this type's lock, so a removal never meets half a step.
public enum TemporaryFiles {
  private struct State {
    var paths: Set<String> = []
    var isClosed = false
  }

  private static let state = Mutex(State())

  /// Removes all files and folders that are half made below a folder, whose path is written as in that
  /// of the outputs.
  ///
  /// Call it from an ordinary thread, not from a signal handler: it locks and allocates. The calls
  /// that were writing fail afterwards, or end with a file that is not theirs to name.
  public static func removeAll(below folder: String) {
    state.withLock { remove(&$0) { $0.hasPrefix(folder + "/") } }
  }

  /// Removes all that is half made, and stops every later step: for a program that is about to end.
  public static func close() {
    state.withLock { state in
      state.isClosed = true
      remove(&state) { _ in true }
    }
  }

  private static func remove(_ state: inout State, where isMeant: (String) -> Bool) {
    let paths = state.paths.filter(isMeant)
    for path in paths where unlink(path) != 0 { FolderRemoval.remove(path) }
    state.paths.subtract(paths)
  }

  /// Runs one step: a call, or a few that belong together, which may change what is half made.
  /// `step` returns 0 or the number of the error.
  /// - Throws: ``BundleError`` with code `io` after ``close()``.
  static func step(_ step: (inout Set<String>) -> Int32) throws(BundleError) -> Int32 {
    let result: Int32? = state.withLock { state in state.isClosed ? nil : step(&state.paths) }
    guard let result else { throw BundleError(.io, detail: "the program is ending") }
    return result
  }

  static func remove(_ path: String) { state.withLock { _ = $0.paths.remove(path) } }
  /// Whether a path is still half made: not so after ``removeAll(below:)``.
  static func contains(_ path: String) -> Bool { state.withLock { $0.paths.contains(path) } }
}

/// Removal of a folder with all that is in it, without following a link.
enum FolderRemoval {
  /// Removes as much as can be removed, and says nothing about the rest.
  static func remove(_ path: String) {
    // Once more where that was not all: another program may have put something in meanwhile.
    for _ in 0..<2 {
      if let root = try? Directory(path, followsLast: false) { removeContents(of: root) }
      if rmdir(path) == 0 || errno == ENOENT { return }
    }
  }

  private static func removeContents(of root: Directory) {
    var folders: [[UInt8]] = []
    var pending: [[UInt8]] = [[]]
    while let path = pending.popLast() {
      guard let folder = try? root.directory(at: path) else { continue }
      folders.append(path)
      // A copy has its folders' modes, and one without write permission keeps what is in it.
      _ = folder.setPermissions(0o700)
      for name in (try? folder.names()) ?? [] where folder.remove(name, isFolder: false) != 0 {
        // What is no folder cannot be opened as one when its turn comes.
        pending.append(path.isEmpty ? name : path + [MemberName.slash] + name)
      }
    }
    // A folder comes before what it holds, so backwards it is empty when its turn comes.
    for path in folders.reversed() where !path.isEmpty {
      let slash = path.lastIndex(of: MemberName.slash)
      let parent = try? root.directory(at: slash.map { path[..<$0] } ?? [])
      parent?.remove(slash.map { path[($0 + 1)...] } ?? path[...], isFolder: true)
    }
  }
}
