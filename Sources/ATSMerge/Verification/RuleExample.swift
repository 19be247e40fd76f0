/// A short app that a rule judges: what a person would write into its files.
///
/// The tests run every example through its rule, so what it shows is what the rule does.
public struct RuleExample: Sendable {
  /// What the example shows, in one line.
  public let caption: String
  let parts: [Part]

  /// Something that a rule looks at.
  enum Part: Sendable {
    /// Keys and values of the main app's Info.plist, in XML.
    case infoPlist(String)
    /// Those of a nested bundle's Info.plist, which lies at a path in the app.
    case nested(String, at: String)
    /// Those of the original's Info.plist.
    case original(String)
    /// The `InfoPlist.strings` of a language.
    case strings(String, language: String)
    /// Files of the app, each as a line of permissions, a blank and the path.
    case files(String)
    /// Options of `verify`.
    case options([String])
    /// Another property list, such as a profile that is not signed: keys and values in XML.
    case propertyList(String, at: String)
    /// What is done with an app of the samples; the last line is the one that finds something or nothing.
    case commands(String)
  }

  /// One file of an example, or what else it is about.
  public struct Block: Sendable {
    /// What it is: a file of the app, the original's Info.plist, the command line.
    public let title: String
    /// What stands in it: for an Info.plist keys and values in XML. Installation IDs are hidden.
    public let text: String
  }

  /// The example as it is shown.
  public var blocks: [Block] {
    parts.map { part in
      let (title, text) =
        switch part {
        case .infoPlist(let xml): ("Info.plist", xml)
        case .nested(let xml, let path): (path, xml)
        case .original(let xml): ("Info.plist of the original", xml)
        case .strings(let text, let language): ("\(language).lproj/InfoPlist.strings", text)
        case .files(let lines): ("files", lines)
        case .options(let options): ("options", options.joined(separator: " "))
        case .propertyList(let xml, let path): (path, xml)
        case .commands(let lines): ("commands", lines)
        }
      return Block(title: title, text: Redaction.hidingIDs(in: text))
    }
  }

  init(_ caption: String, _ infoPlist: String, _ more: Part...) {
    self.caption = caption
    parts = (infoPlist.isEmpty ? [] : [.infoPlist(infoPlist)]) + more
  }

  /// An example that is a run of the program.
  init(_ caption: String, files: [String: String] = [:], commands: String) {
    self.caption = caption
    parts =
      files.sorted { $0.key < $1.key }.map { .propertyList($0.value, at: $0.key) }
      + [.commands(commands)]
  }

  /// The lines of one that is a run of the program, nil for the others.
  public var commands: [String]? {
    for case .commands(let lines) in parts { return lines.split(separator: "\n").map(String.init) }
    return nil
  }

  /// The property lists that such a run needs beside it: the path and the keys and values of each.
  public var propertyLists: [(path: String, xml: String)] {
    parts.compactMap { if case .propertyList(let xml, let path) = $0 { (path, xml) } else { nil } }
  }
}

/// What a rule finds something in, and what it does not.
public struct RuleExamples: Sendable {
  /// The rule finds something.
  public let wrong: RuleExample
  /// The rule finds nothing.
  public let right: RuleExample
}
