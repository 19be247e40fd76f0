/// The entries of a dictionary, in their order, each key once.
///
/// Keys compare by their UTF-8 bytes. A lookup walks the entries: O(n), with no index to keep, which
/// is the faster way for the sizes that property lists have; code that matches two large
/// dictionaries builds an index of its own.
public struct PlistDictionary: Sendable, Equatable {
  /// A key with its value.
  public struct Entry: Sendable, Equatable {
    /// The key.
    public let key: String
    /// What stands under it.
    public var value: PlistValue

    /// An entry of these two.
    public init(key: String, value: PlistValue) {
      self.key = key
      self.value = value
    }

    public static func == (a: Entry, b: Entry) -> Bool {
      a.key.isIdenticalText(to: b.key) && a.value == b.value
    }
  }

  /// The entries in their order.
  public private(set) var entries: [Entry]

  /// A dictionary without entries.
  public init() { entries = [] }

  /// A dictionary of entries whose keys the caller knows to differ, as a parser does.
  init(uniqueEntries: [Entry]) { entries = uniqueEntries }

  /// A dictionary of these pairs in their order; of a repeated key the last value counts.
  public init(_ pairs: some Sequence<(String, PlistValue)>) {
    entries = []
    var places: [ExactText: Int] = [:]
    for (key, value) in pairs {
      if let place = places[ExactText(key)] {
        entries[place].value = value
      } else {
        places[ExactText(key)] = entries.count
        entries.append(Entry(key: key, value: value))
      }
    }
  }

  /// The value under a key. Setting adds a new key at the end, keeps the place of one that is
  /// there, and removes it where the new value is nil.
  public subscript(key: String) -> PlistValue? {
    get { index(of: key).map { entries[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): entries[index].value = value
      case (let index?, nil): entries.remove(at: index)
      case (nil, let value?): entries.append(Entry(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Where a key stands.
  public func index(of key: String) -> Int? {
    entries.firstIndex { $0.key.isIdenticalText(to: key) }
  }

  /// The keys in their order.
  public var keys: [String] { entries.map(\.key) }
  /// How many entries there are.
  public var count: Int { entries.count }
  /// Whether there are none.
  public var isEmpty: Bool { entries.isEmpty }
}
