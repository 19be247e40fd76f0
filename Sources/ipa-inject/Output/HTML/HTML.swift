internal import PlistKit

/// A piece of a page.
///
/// Text becomes markup nowhere but in ``write(to:)``, which escapes it; elements and attributes are of a
/// closed list without any that could run or load something.
indirect enum HTML: Sendable {
  case text(String, limit: Int)
  /// Text that breaks before its slashes where a line is too short for it.
  case path(String, limit: Int)
  case element(Tag, [Attribute], HTML)
  case group([HTML])

  /// The elements of a page.
  enum Tag: String, Sendable {
    case header, main, nav, footer, section, div, span, p, a, img, bdi, code, strong
    case h1, h2, h3, h4, ul, ol, li, dl, dt, dd, details, summary
    case table, caption, thead, tbody, tr, th, td

    var isVoid: Bool { self == .img }
    /// Whether a line ends behind it, so that the page can be read as text.
    var isBlock: Bool {
      switch self {
      case .span, .a, .img, .bdi, .code, .strong, .summary: false
      default: true
      }
    }
  }

  /// An attribute with its value.
  struct Attribute: Sendable {
    let name: String
    let value: String

    static func id(_ value: String) -> Attribute { Attribute(name: "id", value: value) }
    static func `class`(_ value: String) -> Attribute { Attribute(name: "class", value: value) }
    static func link(to id: String) -> Attribute { Attribute(name: "href", value: "#" + id) }
    static func scope(_ value: Scope) -> Attribute {
      Attribute(name: "scope", value: value.rawValue)
    }
    static func role(_ value: String) -> Attribute { Attribute(name: "role", value: value) }
    static func label(_ value: String) -> Attribute { Attribute(name: "aria-label", value: value) }
    static func labelled(by id: String) -> Attribute {
      Attribute(name: "aria-labelledby", value: id)
    }
    /// The header of a cell's column, where a narrow page shows it beside the cell.
    static func column(_ value: String) -> Attribute {
      Attribute(name: "data-label", value: value)
    }
    /// For what is only seen, as words beside it say the same.
    static let decorative = Attribute(name: "aria-hidden", value: "true")
    /// For details that are seen without a click.
    static let open = Attribute(name: "open", value: "")

    /// What a header cell is the header of.
    enum Scope: String { case row, col }
  }

  /// Characters of a text that are shown unless it says otherwise.
  static let usualLimit = 400

  static let empty = HTML.group([])

  /// Text, of which a usual number of characters is shown.
  static func text(_ text: String) -> HTML { .text(text, limit: usualLimit) }

  /// An image whose bytes stand in the page.
  static func image(png: [UInt8], width: Int, height: Int, alternative: String) -> HTML {
    let source = "data:image/png;base64," + PlistValue.base64(png)
    return .element(
      .img,
      [
        Attribute(name: "src", value: source), Attribute(name: "width", value: "\(width)"),
        Attribute(name: "height", value: "\(height)"),
        Attribute(name: "alt", value: alternative),
      ], .empty)
  }
}

/// Puts pieces together.
@resultBuilder enum HTMLBuilder {
  static func buildExpression(_ part: HTML) -> HTML { part }
  static func buildExpression(_ text: String) -> HTML { .text(text) }
  static func buildExpression(_ parts: [HTML]) -> HTML { .group(parts) }
  static func buildBlock(_ parts: HTML...) -> HTML { parts.count == 1 ? parts[0] : .group(parts) }
  static func buildOptional(_ part: HTML?) -> HTML { part ?? .empty }
  static func buildEither(first: HTML) -> HTML { first }
  static func buildEither(second: HTML) -> HTML { second }
  static func buildArray(_ parts: [HTML]) -> HTML { .group(parts) }
}

/// An element.
func tag(
  _ name: HTML.Tag, _ attributes: HTML.Attribute..., @HTMLBuilder content: () -> HTML
) -> HTML {
  .element(name, attributes, content())
}

/// An element with nothing but text.
func tag(_ name: HTML.Tag, _ attributes: HTML.Attribute..., text: String) -> HTML {
  .element(name, attributes, .text(text))
}
