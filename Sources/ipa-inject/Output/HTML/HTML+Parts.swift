/// What pages are made of.
extension HTML {
  /// A section with its heading, which names it.
  static func section(
    _ id: String, _ title: String, @HTMLBuilder content: () -> HTML
  ) -> HTML {
    tag(.section, .id(id), .labelled(by: id + "-title")) {
      tag(.h2, .id(id + "-title"), text: title)
      content()
    }
  }

  /// Text of an app's own, which may run from right to left without moving what stands around it.
  static func own(_ text: String, limit: Int = usualLimit) -> HTML {
    .element(.bdi, [], .text(text, limit: limit))
  }

  /// A key, a path, a host, as it is written.
  static func code(_ text: String, limit: Int = usualLimit) -> HTML {
    .element(.code, [], .text(text, limit: limit))
  }

  /// A path of files or of keys.
  static func path(_ text: String) -> HTML {
    .element(.code, [], .path(text, limit: usualLimit))
  }

  /// A paragraph in the background.
  static func remark(_ text: String) -> HTML { tag(.p, .class("remark"), text: text) }

  /// A mark and a word, so that neither colour nor form is alone in what it says.
  static func badge(_ kind: Badge) -> HTML {
    tag(.span, .class("badge " + kind.name)) {
      tag(.span, .decorative, text: kind.mark)
      " " + kind.word
    }
  }

  /// How something stands.
  struct Badge {
    let name: String
    let mark: String
    let word: String

    static let allowed = Badge(name: "good", mark: "✓", word: "Allowed")
    static let denied = Badge(name: "error", mark: "✕", word: "Denied")
    static let error = Badge(name: "error", mark: "✕", word: "Error")
    static let warning = Badge(name: "warning", mark: "!", word: "Warning")
    static let note = Badge(name: "note", mark: "i", word: "Note")
  }

  /// Terms with what they are; those without are left out.
  static func facts(_ rows: [(String, HTML?)]) -> HTML {
    tag(.dl, .class("facts")) {
      for (term, value) in rows {
        if let value {
          tag(.div) {
            tag(.dt, text: term)
            tag(.dd) { value }
          }
        }
      }
    }
  }

  /// A table. The first cell of each row is its header; on a narrow page each row becomes a card.
  static func table(
    _ name: String, caption: String, columns: [String], rows: [[HTML]]
  ) -> HTML {
    tag(.table, .role("table"), .class(name)) {
      tag(.caption, text: caption)
      tag(.thead, .role("rowgroup")) {
        tag(.tr, .role("row")) {
          for column in columns {
            tag(.th, .scope(.col), .role("columnheader"), text: column)
          }
        }
      }
      tag(.tbody, .role("rowgroup")) {
        for row in rows { self.row(row, columns) }
      }
    }
  }

  private static func row(_ cells: [HTML], _ columns: [String]) -> HTML {
    tag(.tr, .role("row")) {
      for (cell, column) in zip(cells, columns).prefix(1) {
        tag(.th, .scope(.row), .role("rowheader"), .column(column)) { cell }
      }
      for (cell, column) in zip(cells, columns).dropFirst() {
        tag(.td, .role("cell"), .column(column)) { cell }
      }
    }
  }

  /// That there is more than is shown; nothing where there is not.
  static func more(than shown: Int, of count: Int, _ what: String) -> HTML {
    count > shown
      ? tag(.p, .class("more"), text: "and \((count - shown).grouped) more \(what)") : .empty
  }
}
