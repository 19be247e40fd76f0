/// Where a changed application goes.
public enum CommitTarget: Sendable, Equatable {
  /// Into the input itself; where its path is a link, into what the link leads to.
  case inPlace
  /// To a path of its own: a file where the path ends in `.ipa`, `.tipa` or `.zip` or the input is a
  /// property list, else a folder. Without `replace` nothing may stand there.
  case path(String, replace: Bool)

  /// Whether a path names an archive: it ends in `.ipa`, `.tipa` or `.zip`, in whatever case.
  public static func isArchiveName(_ path: String) -> Bool {
    [".ipa", ".tipa", ".zip"].contains { path.lowercased().hasSuffix($0) }
  }
}

/// How a changed application is written.
public struct CommitOptions: Sendable, Equatable {
  /// The new Info.plist's modification time.
  public enum ModificationTime: Sendable, Equatable {
    /// The time of writing.
    case now
    /// The old Info.plist's.
    case kept
    /// Seconds since 1970.
    case seconds(Int64)
  }

  /// Whether the output shares blocks with the input.
  public enum Reflink: String, Sendable, CaseIterable {
    /// Where the file system can do that; a copy elsewhere.
    case auto
    /// Never: all bytes are copied.
    case never
  }

  /// Whether the output and its folder are flushed to the disk before it gets its name.
  public var synchronize = true
  /// The new Info.plist's modification time.
  public var modificationTime = ModificationTime.now
  /// Whether the output shares blocks with the input where the file system can do that.
  public var reflink = Reflink.auto
  /// How a folder is packed, where the output is an archive. The new Info.plist has its own time only
  /// where attributes are kept.
  public var packing = PackingOptions()

  /// Flush, take the time of writing, and share blocks where that can be done.
  public init() {}

  /// Options of these values.
  public init(
    synchronize: Bool, modificationTime: ModificationTime = .now, reflink: Reflink = .auto
  ) {
    self.synchronize = synchronize
    self.modificationTime = modificationTime
    self.reflink = reflink
  }

  /// The time in seconds, nil to keep the old one.
  var seconds: Int64? {
    switch modificationTime {
    case .now: DOSTime.now()
    case .kept: nil
    case .seconds(let seconds): seconds
    }
  }
}
