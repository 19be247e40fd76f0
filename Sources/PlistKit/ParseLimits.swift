/// Every bound that a reader keeps. Beyond one, reading ends with ``PlistError/Code/limit``.
public struct ParseLimits: Sendable, Equatable {
  /// Bytes of the file.
  public var bytes = 64 << 20
  /// Levels of containers; Core Foundation reads 512 (128 on iOS), and of a binary file no more are
  /// read here either.
  public var depth = 512
  /// Values in the file: a shared object of a binary file counts once.
  public var objects = 4 << 20
  /// Pairs of one dictionary.
  public var pairs = 1 << 20
  /// Values that writing a shared object each time it is referred to may come to.
  public var expandedObjects = 4 << 20
  /// Bytes of the keys, text and data that come to be written that way.
  public var expandedBytes = 256 << 20
  /// Bytes of an element's name in XML.
  public var nameBytes = 64
  /// Attributes of an element in XML.
  public var attributes = 16
  /// Bytes of a start tag in XML after its name.
  public var attributeBytes = 4 << 10

  /// The bounds for any property list.
  public static let standard = ParseLimits()

  /// The bounds for an application's Info.plist: 16 MiB.
  public static let infoPlist: ParseLimits = {
    var limits = ParseLimits()
    limits.bytes = 16 << 20
    return limits
  }()
}
