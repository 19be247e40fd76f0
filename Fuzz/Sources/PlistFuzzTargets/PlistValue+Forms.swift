package import PlistKit

extension PlistValue {
  /// The value as XML holds it: reals without width and with one NaN, dates in whole seconds, a
  /// dictionary of `CF$UID` and a number as the reference that it means.
  package var xmlForm: PlistValue {
    switch self {
    case .dictionary(let dictionary):
      if dictionary.count == 1, dictionary.entries[0].key.utf8.elementsEqual("CF$UID".utf8),
        let signed = dictionary.entries[0].value.wholeNumber
      {
        if let uid = UInt32(exactly: signed) { return .uid(uid) }
        if let uid = Int32(exactly: signed) { return .uid(UInt32(bitPattern: uid)) }
      }
      return .dictionary(PlistDictionary(dictionary.entries.map { ($0.key, $0.value.xmlForm) }))
    case .array(let items): return .array(items.map(\.xmlForm))
    case .real(let real): return .real(PlistReal(real.value.isNaN ? Double.nan : real.value))
    case .date(let date):
      let seconds = date.secondsSince2001.rounded(.down)
      return .date(PlistDate(secondsSince2001: seconds == 0 ? 0 : seconds))
    default: return self
    }
  }

  private var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number.int64
    case .real(let real): Int64(exactly: real.value)
    default: nil
    }
  }

  /// Whether XML has a form for every value in this one. A year must fit into 32 bits, which those
  /// from 2^31 years before the year 0 on and before 2^31 years after it do.
  package var hasXMLForm: Bool {
    switch self {
    case .dictionary(let dictionary):
      dictionary.entries.allSatisfy { $0.key.isXMLText && $0.value.hasXMLForm }
    case .array(let items): items.allSatisfy(\.hasXMLForm)
    case .string(let text): text.isXMLText
    case .date(let date):
      (-67_768_101_514_656_000..<67_767_975_255_225_600).contains(
        date.secondsSince2001.rounded(.down))
    case .null, .set: false
    default: true
    }
  }

  /// The value with the keys of each dictionary in the order of their bytes.
  package var sortedByKey: PlistValue {
    switch self {
    case .dictionary(let dictionary):
      let entries = dictionary.entries.map { ($0.key, $0.value.sortedByKey) }
      return .dictionary(
        PlistDictionary(entries.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
    case .array(let items): return .array(items.map(\.sortedByKey))
    default: return self
    }
  }

  /// How many values this comes to with shared ones written out, and how deep it is; nil for more
  /// than a bound.
  package func extent(upTo most: Int = 30_000) -> (values: Int, depth: Int)? {
    var extent = (values: 0, depth: 0)
    return measure(into: &extent, depth: 0, upTo: most) ? extent : nil
  }

  private func measure(
    into extent: inout (values: Int, depth: Int), depth: Int, upTo most: Int
  ) -> Bool {
    extent.values += 1
    guard extent.values <= most else { return false }
    let isContainer: Bool
    switch self {
    case .dictionary, .array, .set: isContainer = true
    default: isContainer = false
    }
    extent.depth = max(extent.depth, depth + (isContainer ? 1 : 0))
    switch self {
    case .dictionary(let dictionary):
      return dictionary.entries.allSatisfy {
        $0.value.measure(into: &extent, depth: depth + 1, upTo: most)
      }
    case .array(let items), .set(let items):
      return items.allSatisfy { $0.measure(into: &extent, depth: depth + 1, upTo: most) }
    default: return true
    }
  }

  /// The paths of the first values in it, so many at most, parents before what they hold.
  package func paths(upTo most: Int) -> [PlistKeyPath] {
    var paths = [(PlistKeyPath.root, self)]
    var next = 0
    while next < paths.count, paths.count < most {
      let (path, value) = paths[next]
      next += 1
      switch value {
      case .dictionary(let dictionary):
        paths += dictionary.entries.prefix(most).map { (path.appending(key: $0.key), $0.value) }
      case .array(let items):
        paths += items.prefix(most).enumerated().map { (path.appending(index: $0), $1) }
      default: break
      }
    }
    return paths.prefix(most).map(\.0)
  }
}

extension String {
  /// Whether XML 1.0, production 2, has every character.
  fileprivate var isXMLText: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: true
      case 0x00..<0x20, 0xFFFE, 0xFFFF: false
      default: true
      }
    }
  }
}
