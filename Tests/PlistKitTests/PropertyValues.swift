import PlistFuzzTargets
import PlistKit

/// Random values for property tests. Each seed gives one value, and a failure names its seed.
enum PropertyValues {
  /// A value of any kind; some are deep, some wide, some hold one text many times.
  static func value(seed: UInt64) -> PlistValue {
    var choices = Choices(seed: seed)
    switch choices.number(below: 20) {
    case 0: return .chain(by: &choices, depth: choices.number(below: 510))
    case 1:
      return .array((0..<choices.number(below: 600)).map { _ in .made(by: &choices, depth: 0) })
    case 2:
      let text = PlistValue.string(PlistValue.key(by: &choices))
      let row = (0..<choices.number(below: 300)).map { ("key\($0 % 90)", text) }
      return .array([.dictionary(PlistDictionary(row)), text, .array(row.map(\.1))])
    default: return .made(by: &choices, depth: 4)
    }
  }
}

extension PlistValue {
  /// The value with what a format lacks, or another reader reads otherwise, changed by rules.
  func mapped(_ change: (PlistValue) -> PlistValue) -> PlistValue {
    switch change(self) {
    case .dictionary(let dictionary):
      .dictionary(
        PlistDictionary(
          dictionary.entries.map { entry in
            (change(.string(entry.key)).string ?? "", entry.value.mapped(change))
          }))
    case .array(let items): .array(items.map { $0.mapped(change) })
    case let leaf: leaf
    }
  }

  /// The value with everything in it that XML has a form for, and dates from year 1 to 9999 as other
  /// readers know them.
  var withXMLForm: PlistValue {
    mapped { value in
      switch value {
      case .string(let text): value.hasXMLForm ? value : .string("no text: \(text.utf8.count)")
      case .date(let date):
        (-63_113_904_000..<252_423_993_600).contains(date.secondsSince2001) ? value : "no date"
      case .null, .set: "no form"
      default: value
      }
    }
  }

  /// The value with dates that have no fraction, which Python would round.
  var withWholeSeconds: PlistValue {
    mapped { value in
      guard case .date(let date) = value else { return value }
      return .date(PlistDate(secondsSince2001: date.secondsSince2001.rounded(.down)))
    }
  }
}

/// Where two texts of values part, nil where they are the same: the values are too large to print.
func difference(_ a: String, _ b: String) -> String? {
  guard a != b else { return nil }
  let same = zip(a.utf8, b.utf8).prefix { $0 == $1 }.count
  let part = { (text: String) in
    String(decoding: text.utf8.dropFirst(max(0, same - 40)).prefix(100), as: UTF8.self)
  }
  return "\(part(a)) | \(part(b))"
}

func difference(_ a: PlistValue, _ b: PlistValue) -> String? {
  a == b ? nil : difference(a.canonicalText, b.canonicalText) ?? "equal but for what the text lacks"
}
