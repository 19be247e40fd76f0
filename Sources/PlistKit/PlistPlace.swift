/// Where a value stands in the bytes of a property list, for people and programs that look there.
public struct PlistPlace: Sendable, Equatable {
  /// Line and column, or the offset in a binary file.
  public var location: PlistLocation
  /// The column in Unicode scalars, counted from 1, where the property list is text.
  public var scalarColumn: Int?
  /// The object's number in the table of a binary file, counted from 0.
  public var object: Int?
  /// Whether the value itself stands there; else it is missing, and this is the nearest container of
  /// those that its path leads through.
  public var isExact: Bool

  /// A place of these.
  public init(
    _ location: PlistLocation, scalarColumn: Int? = nil, object: Int? = nil, isExact: Bool = true
  ) {
    self.location = location
    self.scalarColumn = scalarColumn
    self.object = object
    self.isExact = isExact
  }
}
