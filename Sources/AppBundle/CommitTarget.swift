/// Where a changed application goes.
public enum CommitTarget: Sendable, Equatable {
  /// Into the input itself; where its path is a link, into what the link leads to.
  case inPlace
  /// To a path of its own: a file where the path ends in `.ipa`, `.tipa` or `.zip` or the input is a
  /// property list, else a folder. Without `replace` nothing may stand there.
  case path(String, replace: Bool)
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

  /// Whether the output and its folder are flushed to the disk before it gets its name.
  public var synchronize = true
  /// The new Info.plist's modification time.
  public var modificationTime = ModificationTime.now

  /// Flush, and take the time of writing.
  public init() {}

  /// Options of these values.
  public init(synchronize: Bool, modificationTime: ModificationTime = .now) {
    self.synchronize = synchronize
    self.modificationTime = modificationTime
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
