/// How an application was written.
public enum CommitResult: Sendable, Equatable, CustomStringConvertible {
  /// Not at all: it holds that Info.plist already.
  case unchanged
  /// Without blocks of the input; for an archive that was copied, why.
  case copied(because: String?)
  /// The output has the input's blocks, all of them.
  case shared
  /// The output has the input's blocks; the new member took the old one's room, with so much padding.
  case sharedWithRoom(padding: Int)
  /// The output has the input's blocks, but for those where the new member stands; what follows it
  /// moved by whole blocks, for which the member has so much padding.
  case sharedAround(padding: Int)

  /// One line without capital and full stop.
  public var description: String {
    switch self {
    case .unchanged: "nothing changes, so nothing is written"
    case .copied(nil): "all bytes are written anew"
    case .copied(let reason?): "all bytes are copied: \(reason)"
    case .shared: "shares blocks with the input: all of them"
    case .sharedWithRoom(let padding):
      "shares blocks with the input: the member fits into the old one's room"
        + Self.padded(padding)
    case .sharedAround(let padding):
      "shares blocks with the input: what follows the member moves by whole blocks"
        + Self.padded(padding)
    }
  }

  private static func padded(_ count: Int) -> String {
    count == 0 ? "" : ", with \(count) bytes of padding"
  }
}
