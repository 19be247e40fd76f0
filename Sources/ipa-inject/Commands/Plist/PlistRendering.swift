internal import PlistKit

/// The text of one value in a form that was asked for.
struct PlistRendering: Sendable {
  static let jsonOptions: [Option] = [
    .flag("--compact", "JSON in one line"),
    .flag("--as-text", "in JSON, dates and data as text, which reads back as strings"),
  ]

  let options: JSONOptions

  init(_ arguments: ParsedArguments) {
    options = JSONOptions(
      isCompact: arguments.has("--compact"), writesDatesAndDataAsText: arguments.has("--as-text"))
  }

  /// A value as JSON with a line feed, or as an XML property list.
  func text(
    of value: PlistValue, as format: String, at path: PlistKeyPath, in loaded: LoadedPlist
  ) throws(Failure) -> String {
    do throws(PlistError) {
      if format == "xml" {
        return String(
          decoding: try PlistDocument(root: value, format: .xml).serialized(), as: UTF8.self)
      }
      return String(decoding: try value.json(options), as: UTF8.self) + "\n"
    } catch {
      var error = error
      error.keyPath = PlistKeyPath(path.components + (error.keyPath?.components ?? []))
      var failure = loaded.failure(error)
      failure.hint = hint(for: error, format)
      throw failure
    }
  }

  /// How to see what a form cannot hold.
  func hint(for error: PlistError, _ format: String) -> String? {
    guard error.code == .unrepresentable else { return nil }
    guard format == "json", !options.writesDatesAndDataAsText else { return nil }
    let isText = ["a date has", "data has"].contains { error.detail.hasPrefix($0) }
    return isText ? "--as-text writes it as text" : nil
  }
}

/// A value, as text for people or scripts and as an object for programs.
struct PlistValueReport: Report {
  let schema: String
  let loaded: LoadedPlist
  let path: PlistKeyPath
  let value: PlistValue
  let showsSecrets: Bool
  let warnings: [String]
  private let render: @Sendable (Style) -> String

  init(
    schema: String, _ loaded: LoadedPlist, at path: PlistKeyPath, _ value: PlistValue,
    showsSecrets: Bool, render: @escaping @Sendable (Style) -> String
  ) {
    self.schema = schema
    self.loaded = loaded
    self.path = path
    self.value = value
    self.showsSecrets = showsSecrets
    self.render = render
    warnings =
      !showsSecrets && value.mayHoldInstallationID
      ? ["an installation ID is shortened; --show-secrets prints it whole"] : []
  }

  var revealsCredentials: Bool { showsSecrets }

  var json: JSONValue {
    [
      "schema": .string("ipa-inject/\(schema)/1"), "input": .string(loaded.path),
      "plist": .optional(loaded.plistPath),
      "plistFormat": .string(loaded.formatName), "path": .string(path.description),
      "type": .string(value.typeWord), "value": JSONValue(value),
    ]
  }

  func text(_ style: Style) -> String { render(style) }
}
