/// Bytes that make a member as long as wanted and that no reader takes for content.
///
/// Before deflated data stand empty stored blocks (RFC 1951 3.2.4), of five bytes each; the data begin
/// where a byte does, so the blocks end there too. What they leave over, and all padding of stored
/// members, is a local extra field (APPNOTE.TXT 4.5.1) with the identifier that Android's `zipalign` gives
/// to alignment. The central directory has no such field.
struct MemberPadding: Sendable, Equatable {
  /// Empty blocks before the data.
  let blocks: Int
  /// Bytes of the extra field with its header; 0 for none.
  let extra: Int

  static let none = MemberPadding(blocks: 0, extra: 0)
  /// The most bytes that are spent: more than a file system's block takes.
  static let limit = 0x1_0000

  private static let block: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
  private static let fieldHeader = 4

  /// How many bytes it adds.
  var count: Int { blocks * Self.block.count + extra }

  /// The blocks' bytes.
  var blockBytes: [UInt8] { Array([[UInt8]](repeating: Self.block, count: blocks).joined()) }

  /// The extra field's bytes.
  var extraBytes: [UInt8] {
    guard extra >= Self.fieldHeader else { return [] }
    var bytes: [UInt8] = []
    bytes.append(integer: ExtraFields.padding)
    bytes.append(integer: UInt16(clamping: extra - Self.fieldHeader))
    return bytes + [UInt8](repeating: 0, count: extra - Self.fieldHeader)
  }
}

extension MemberPadding {
  /// A member before it is padded.
  struct Member: Sendable, Equatable {
    /// Its bytes with header and descriptor.
    var length: Int
    /// 0 (stored) or 8 (deflated).
    var method: UInt16
    /// How many bytes its local extra field can grow by.
    var extraRoom: Int
  }

  /// Padding of exactly so many bytes, nil where there is none: an extra field has at least four.
  init?(_ count: Int, of member: Member) {
    guard count >= 0, count <= Self.limit else { return nil }
    let least = [0, 6, 7, 8, 4]
    extra = member.method == 8 ? least[count % Self.block.count] : count
    guard extra == 0 || extra >= Self.fieldHeader, extra <= member.extraRoom, extra <= count else {
      return nil
    }
    blocks = (count - extra) / Self.block.count
  }

  /// The padding with which a member fills the room of another exactly, nil where it does not fit.
  static func filling(_ room: Int, with member: Member) -> MemberPadding? {
    MemberPadding(room - member.length, of: member)
  }

  /// The least padding with which what follows a member moves by whole blocks, where a member of another
  /// length stood before; nil where there is none.
  static func moving(
    by blockSize: Int, from room: Int, with member: Member
  ) -> MemberPadding? {
    guard blockSize > 0 else { return nil }
    let over = (room - member.length) % blockSize
    let least = over < 0 ? over + blockSize : over
    return MemberPadding(least, of: member) ?? MemberPadding(least + blockSize, of: member)
  }
}
