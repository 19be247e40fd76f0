internal import ATSMerge
internal import PlistKit

extension AppPage {
  private static let mostKeys = 12

  /// The settings as they stand beside what they mean.
  var transport: HTML {
    let settings = report.settings
    return .group([
      report.loaded.root.dictionary?[ATSKey.transportSecurity] == nil
        ? tag(
          .p,
          text:
            "The app has no settings of its own. \(meanings.defaults)")
        : .empty,
      appWide(meanings.appWide(limit: Self.mostRows), of: settings.count),
      exceptions,
    ])
  }

  private func appWide(_ settings: [ATSMeaning], of count: Int) -> HTML {
    guard !settings.isEmpty else { return .empty }
    return .group([
      tag(.h3, text: "App-wide settings"),
      HTML.table(
        "exceptions",
        caption: "App-wide settings and what they mean",
        columns: ["Key path", "Value", "What it means"],
        rows: settings.map { meaning in
          [
            HTML.path(meaning.path.description), HTML.value(meaning.value),
            HTML.text(meaning.sentence, limit: 1000),
          ]
        }),
      HTML.more(than: settings.count, of: count, "settings"),
    ])
  }

  private var exceptions: HTML {
    let entries = report.exceptions
    guard !entries.isEmpty else { return .empty }
    let updateHosts = report.updateHosts
    return .group([
      tag(.h3, text: "Exception domains"),
      tag(.p, .class("remark")) {
        "Each stands at "
        HTML.path("/NSAppTransportSecurity/NSExceptionDomains/DOMAIN")
        "."
      },
      HTML.table(
        "exceptions",
        caption: "Exception domains and what they mean",
        columns: ["Domain", "Settings and what they mean"],
        rows: entries.prefix(Self.mostRows).map { entry in
          [
            .group([
              HTML.code(entry.key, limit: 200),
              tag(
                .div, .class("kind"),
                text: ExceptionDomainKind(entry.key).word
                  + (updateHosts.contains(entry.key) ? ", for updates" : "")),
            ]),
            tag(.dl, .class("keys")) {
              for meaning in meanings.entry(entry, limit: Self.mostKeys) {
                setting(meaning, of: entry)
              }
            },
          ]
        }),
      HTML.more(than: Self.mostRows, of: entries.count, "exception domains"),
    ])
  }

  private func setting(_ meaning: ATSMeaning, of entry: PlistDictionary.Entry) -> HTML {
    // The entry itself, or a key of it.
    let isWhole = meaning.path.components.count < 4
    let key = if case .key(let key)? = meaning.path.components.last, !isWhole { key } else { "" }
    return .group([
      isWhole && entry.value.dictionary != nil
        ? tag(.dt, text: "The entry")
        : tag(.dt) {
          HTML.code((isWhole ? "" : key + " ") + meaning.value.oneLine, limit: 200)
        },
      tag(.dd, text: meaning.sentence),
    ])
  }
}

extension ExceptionDomainKind {
  /// What the key is, in words.
  fileprivate var word: String {
    switch self {
    case .name: "name"
    case .ipv4: "IPv4 address"
    case .ipv6: "IPv6 address"
    case .cidr: "range of addresses"
    case .invalid: "never matches"
    }
  }
}
