/// The way from the root of a property list to one of its values.
///
/// Written as a JSON Pointer (RFC 6901): `/NSAppTransportSecurity/NSExceptionDomains/my-mac.local`,
/// `~1` for a slash and `~0` for a tilde in a key. Read from that or from PlistBuddy's
/// `:Key:0:Sub`, where `\:` is a colon in a key. The empty path is the root.
public struct PlistKeyPath: Sendable, Hashable, CustomStringConvertible {
  /// One step down.
  public enum Component: Sendable, Hashable {
    /// A dictionary's key.
    case key(String)
    /// An array's item, counted from 0.
    case index(Int)
  }

  /// The steps from the root.
  public var components: [Component]

  /// A path of these steps.
  public init(_ components: [Component]) { self.components = components }

  /// The path to a key of a key of the root, and so on.
  public init(keys: String...) { components = keys.map(Component.key) }

  /// The root.
  public static let root = PlistKeyPath([])

  /// The path with one more key.
  public func appending(key: String) -> PlistKeyPath { PlistKeyPath(components + [.key(key)]) }

  /// The path with one more array index.
  public func appending(index: Int) -> PlistKeyPath { PlistKeyPath(components + [.index(index)]) }

  /// The JSON Pointer.
  public var description: String {
    components.map { component in
      switch component {
      case .index(let index): "/\(index)"
      case .key(let key):
        "/" + Self.escaped(key)
      }
    }.joined()
  }

  /// The pointer for a message: of more than 32 steps only the first and the last four.
  package var brief: String {
    guard components.count > 32 else { return description }
    return
      "\(PlistKeyPath(Array(components.prefix(4))))/…\(PlistKeyPath(Array(components.suffix(4))))"
  }

  /// The key with `~` and `/` escaped. It goes by scalars: a character of Swift's can be a slash with
  /// an accent.
  private static func escaped(_ key: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": scalars.append(contentsOf: "~0".unicodeScalars)
      case "/": scalars.append(contentsOf: "~1".unicodeScalars)
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  public static func == (a: PlistKeyPath, b: PlistKeyPath) -> Bool {
    a.components.count == b.components.count
      && zip(a.components, b.components).allSatisfy { pair in
        switch pair {
        case (.key(let a), .key(let b)): a.isIdenticalText(to: b)
        case (.index(let a), .index(let b)): a == b
        default: false
        }
      }
  }

  /// A path from its text.
  ///
  /// A step of digits is a key here; ``PlistValue/subscript(_:)`` takes it as an index where it
  /// meets an array.
  /// - Throws: ``PlistError`` with code `keyPath` where the text starts with neither `/` nor `:`.
  public init(parsing text: String) throws(PlistError) {
    let scalars = text.unicodeScalars
    switch scalars.first {
    case nil: components = []
    case "/": components = Self.pointerKeys(scalars.dropFirst()).map(Component.key)
    case ":": components = Self.buddyKeys(scalars.dropFirst()).map(Component.key)
    default:
      throw PlistError(.keyPath, detail: "\(text.quoted) starts with neither '/' nor ':'")
    }
  }

  private static func pointerKeys(_ text: Substring.UnicodeScalarView) -> [String] {
    text.split(separator: "/", omittingEmptySubsequences: false).map { part in
      var key = String.UnicodeScalarView()
      var rest = part
      while let next = rest.popFirst() {
        guard next == "~", let code = rest.first, code == "0" || code == "1" else {
          key.append(next)
          continue
        }
        rest.removeFirst()
        key.append(code == "0" ? "~" : "/")
      }
      return String(key)
    }
  }

  private static func buddyKeys(_ text: Substring.UnicodeScalarView) -> [String] {
    guard !text.isEmpty else { return [] }
    var keys = [String.UnicodeScalarView()]
    var rest = text
    while let next = rest.popFirst() {
      if next == ":" {
        keys.append(String.UnicodeScalarView())
      } else if next == "\\", let escaped = rest.popFirst() {
        keys[keys.count - 1].append(escaped)
      } else {
        keys[keys.count - 1].append(next)
      }
    }
    return keys.map { String($0) }
  }
}

extension PlistValue {
  /// The value at a path, nil where a step leads nowhere.
  ///
  /// A key of digits is an index where the value is an array.
  public subscript(path: PlistKeyPath) -> PlistValue? {
    var value = self
    for component in path.components {
      let next: PlistValue? =
        switch (value, component) {
        case (.dictionary(let dictionary), .key(let key)): dictionary[key]
        case (.dictionary(let dictionary), .index(let index)): dictionary[String(index)]
        case (.array(let items), .index(let index)):
          items.indices.contains(index) ? items[index] : nil
        case (.array(let items), .key(let key)):
          Int(arrayIndex: key).flatMap { items.indices.contains($0) ? items[$0] : nil }
        default: nil
        }
      guard let next else { return nil }
      value = next
    }
    return value
  }
}

extension Int {
  /// The index that a step of a path means, nil where it is none: digits without a leading zero, as RFC
  /// 6901, section 4, has them.
  init?(arrayIndex text: String) {
    let isIndex = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isIndex, text == "0" || !text.hasPrefix("0"), let index = Int(text) else { return nil }
    self = index
  }
}
