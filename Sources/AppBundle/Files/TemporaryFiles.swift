#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif
import Synchronization

/// What is half made and has a name, so that a program that ends early can remove it.
///
/// Files and folders that are being written enter and leave by themselves.
public enum TemporaryFiles {
  private static let paths = Mutex<Set<String>>([])

  /// Removes all files and folders that are half made.
  ///
  /// Call it from an ordinary thread, not from a signal handler: it locks and allocates. The calls
  /// that were writing fail afterwards, or end with a file that is not theirs to name.
  public static func removeAll() {
    paths.withLock { paths in
      for path in paths where unlink(path) != 0 { FolderRemoval.remove(path) }
      paths = []
    }
  }

  static func insert(_ path: String) { paths.withLock { _ = $0.insert(path) } }
  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }
  /// Whether a path is still half made: not so after ``removeAll()``.
  static func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
}

/// Removal of a folder with all that is in it, without following a link.
enum FolderRemoval {
  /// Removes as much as can be removed, and says nothing about the rest.
  static func remove(_ path: String) {
    guard let root = try? Directory(path) else { return }
    if let tree = try? FolderTree(root, limits: .unbounded) {
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
