/// One entry of an input: a member of an archive, or an entry of a folder.
public struct Member: Sendable, Equatable {
  /// What an entry is.
  public enum Kind: String, Sendable {
    case file
    case directory
    case symbolicLink = "symbolic-link"
    /// A device, a pipe, a socket.
    case other
  }

  /// The path from the input's root, without a slash at its end.
  ///
  /// Bytes that are no UTF-8, and characters that would steer a terminal, are shown as `\xHH`.
  public let path: String
  /// What it is.
  public let kind: Kind
  /// Bytes of its content, unpacked; in an archive, what the archive declares.
  public let size: UInt64
  /// The permission bits (`07777`), nil where an archive does not tell them.
  public let permissions: UInt16?
  /// The CRC-32 of the content that an archive declares, nil in folders.
  public let checksum: UInt32?

  /// The name as it is stored.
  package let name: [UInt8]

  init(
    name: ArraySlice<UInt8>, kind: Kind, size: UInt64, permissions: UInt16?, checksum: UInt32?
  ) {
    self.name = Array(name)
    self.path = MemberName.display(name)
    self.kind = kind
    self.size = size
    self.permissions = permissions
    self.checksum = checksum
  }

  /// How ``path`` shows a name, or a part of one.
  package static func shownPath(_ name: ArraySlice<UInt8>) -> String { MemberName.display(name) }
}

/// What an input's entries look like to the code that looks for applications among them.
protocol MemberTable: Sendable {
  var count: Int { get }
  /// The path from the root as bytes; a directory's without the slash at its end.
  func name(_ index: Int) -> ArraySlice<UInt8>
  func kind(_ index: Int) -> Member.Kind
  func member(_ index: Int) -> Member
  /// Gives each entry's index and its name, as ``name(_:)`` does, in the order of entries.
  func forEachName<Failure>(
    _ body: (Int, Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure)
}

extension MemberTable {
  func display(_ index: Int) -> String { MemberName.display(name(index)) }

  /// The names at the top.
  var topNames: Set<[UInt8]> {
    Set((0..<count).map { Array(name($0).prefix { $0 != MemberName.slash }) })
  }
}

/// Operations on the bytes of names. They are bytes, not paths: no one opens a file by them.
enum MemberName {
  static let slash = UInt8(ascii: "/")
  static let dot = UInt8(ascii: ".")
  static let backslash = UInt8(ascii: "\\")

  /// The name for messages and results.
  static func display(_ name: some Collection<UInt8>) -> String {
    if name.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      return String(decoding: name, as: UTF8.self)
    }
    var text = ""
    var decoder = UTF8()
    var bytes = name.makeIterator()
    var pending = Array(name)[...]
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar):
        let length = UTF8.width(scalar)
        if isHidden(scalar) {
          for byte in pending.prefix(length) { text += escaped(byte) }
        } else {
          text.unicodeScalars.append(scalar)
        }
        pending = pending.dropFirst(length)
      case .emptyInput:
        return text
      case .error:
        // The decoder does not tell how many bytes it skipped, so the rest is shown byte by byte.
        for byte in pending {
          text += byte >= 0x20 && byte < 0x7F ? String(UnicodeScalar(byte)) : escaped(byte)
        }
        return text
      }
    }
  }

  /// Two names with the same key fall on one file in a file system that ignores case and Unicode
  /// forms, or with a reader that ends names at NUL, takes `//`, `/./` and `/../` out of them, or
  /// reads a backslash as a slash.
  static func collisionKey(_ name: ArraySlice<UInt8>) -> String {
    var plain: [UInt8] = []
    plain.reserveCapacity(name.count)
    var isASCII = true
    let visible = name.prefix { $0 != 0 }
    for part in visible.split(whereSeparator: { $0 == slash || $0 == backslash })
    where !part.elementsEqual([dot]) {
      if part.elementsEqual([dot, dot]) {
        plain.removeLast(plain.count - (plain.lastIndex(of: slash) ?? 0))
        continue
      }
      if !plain.isEmpty { plain.append(slash) }
      for byte in part {
        isASCII = isASCII && byte < 0x80
        plain.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte)
      }
    }
    let text = isASCII ? String(decoding: plain, as: UTF8.self) : display(plain)
    return isASCII ? text : text.uppercased().lowercased()
  }

  /// The components; empty ones where two slashes meet.
  static func components(_ name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    name.split(separator: slash, omittingEmptySubsequences: false)
  }

  private static func isHidden(_ scalar: UnicodeScalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "\\x" + (digits.count < 2 ? "0" : "") + digits
  }
}

extension ArraySlice<UInt8> {
  func hasSuffix(_ suffix: String) -> Bool {
    suffix.utf8.reversed().elementsEqual(
      self.suffix(suffix.utf8.count).reversed())
  }
}
