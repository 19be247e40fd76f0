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

  /// Removes all files and folders that are half made.
  ///
  /// Call it from an ordinary thread, not from a signal handler: it locks and allocates. The calls
  /// that were writing fail afterwards, or end with a file that is not theirs to name.
  public static func removeAll() { state.withLock { removeAll(&$0) } }

  /// Removes all that is half made, and stops every later step: for a program that is about to end.
  public static func close() {
    state.withLock { state in
      state.isClosed = true
      removeAll(&state)
    }
  }

  private static func removeAll(_ state: inout State) {
    for path in state.paths where unlink(path) != 0 { FolderRemoval.remove(path) }
    state.paths = []
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
  /// Whether a path is still half made: not so after ``removeAll()``.
  static func contains(_ path: String) -> Bool { state.withLock { $0.paths.contains(path) } }
}

/// Removal of a folder with all that is in it, without following a link.
enum FolderRemoval {
  /// Removes as much as can be removed, and says nothing about the rest.
  static func remove(_ path: String) {
    guard let root = try? Directory(path) else { return }
    _ = root.setPermissions(0o700)
    if let tree = try? FolderTree(root, limits: .unbounded) {
      // A copy has its folders' modes, and one without write permission keeps what is in it.
      for entry in tree.entries where entry.status.kind == .directory {
        _ = try? root.directory(at: entry.path).setPermissions(0o700)
      }
      // A folder sorts before what it holds, so backwards it is empty when its turn comes.
      for entry in tree.entries.reversed() {
        guard let parent = try? tree.directory(of: entry) else { continue }
        parent.remove(entry.name, isFolder: entry.status.kind == .directory)
      }
    }
    rmdir(path)
  }
}

extension ArchiveLimits {
  /// For folders of this program's own making.
  static let unbounded: ArchiveLimits = {
    var limits = ArchiveLimits()
    limits.entries = .max
    limits.depth = .max
    return limits
  }()
}
