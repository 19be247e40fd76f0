internal import ATSMerge

/// Writes pieces of a page as markup: all texts escaped, bounded, and without credentials.
struct HTMLWriter {
  /// Whether installation IDs are shown whole.
  let revealsCredentials: Bool
  private(set) var markup = ""

  /// Combining characters on one letter that are shown as such; more would cover the lines around it.
  private static let mostMarks = 4

  init(revealsCredentials: Bool) { self.revealsCredentials = revealsCredentials }

  mutating func write(_ html: HTML) {
    switch html {
    case .text(let text, let limit): markup += shown(text, limit: limit).markupEscaped
    case .path(let text, let limit):
      let safe = shown(text, limit: limit).markupEscaped
      markup += safe.prefix(1) + safe.dropFirst().replacing("/", with: "<wbr>/")
    case .group(let parts): for part in parts { write(part) }
    case .element(let tag, let attributes, let content):
      markup += "<\(tag.rawValue)"
      for attribute in attributes { write(attribute, of: tag) }
      markup += ">"
      if !tag.isVoid {
        write(content)
        markup += "</\(tag.rawValue)>"
      }
      if tag.isBlock { markup += "\n" }
    }
  }

  private mutating func write(_ attribute: HTML.Attribute, of tag: HTML.Tag) {
    let value =
      tag == .img && attribute.name == "src"
      ? attribute.value : shown(attribute.value, limit: HTML.usualLimit).markupEscaped
    markup += " \(attribute.name)=\"\(value)\""
  }

  /// The text as a person may see it. What looks like an ID is found before anything is cut off.
  func shown(_ text: String, limit: Int) -> String {
    let count = text.utf8.count
    let window = 4 * limit + 1024
    let part = count > window ? String(decoding: text.utf8.prefix(window), as: UTF8.self) : text
    let safe = revealsCredentials ? part : Redaction.hidingIDs(in: part)
    var scalars = String.UnicodeScalarView()
    var marks = 0
    for (place, scalar) in safe.unicodeScalars.enumerated() {
      guard place < limit else {
        return String(scalars) + "… (\(count) bytes in all)"
      }
      let isMark = scalar.properties.generalCategory == .nonspacingMark
      marks = isMark ? marks + 1 : 0
      if marks > Self.mostMarks {
        scalars.append("·")
      } else {
        scalars.append(contentsOf: String(Character(scalar)).printable.unicodeScalars)
      }
    }
    return String(scalars)
  }
}
