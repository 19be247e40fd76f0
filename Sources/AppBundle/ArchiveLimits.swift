/// Every bound that the readers of archives and folders keep.
///
/// Beyond one, reading ends with ``BundleError/Code/limit``.
public struct ArchiveLimits: Sendable, Equatable {
  /// Bytes of an archive's central directory, which is held in memory.
  public var directoryBytes = 256 << 20
  /// Members of an archive, or entries of a folder and all below it. A member takes 10 to 28 bytes
  /// of memory beside its record in the central directory.
  public var entries = 2_000_000
  /// Bytes of Info.plist, unpacked and packed.
  public var infoPlistBytes = 16 << 20
  /// Folders inside one another.
  public var depth = 512
  /// Bytes that all paths of nested bundles may come to.
  public var bundlePathBytes = 64 << 20
  /// Bytes that the paths of all folders may come to when an archive is unpacked. A name of 64 KiB can
  /// stand for 512 folders, whose paths come to 16 MiB.
  public var folderPathBytes = 256 << 20
  /// Bytes that unpacking an archive may write.
  public var unpackedBytes: UInt64 = 64 << 30
  /// Bytes of a symbolic link's target.
  public var linkBytes = 4096

  /// The bounds for any application.
  public static let standard = ArchiveLimits()
}
