internal import ATSMerge
internal import AppBundle
internal import NetDiscovery
internal import PlistKit

/// What an injection did.
struct InjectReport: Report {
  let loaded: LoadedApp
  let edit: PlistEdit
  let output: OutputOptions
  let injection: Injection
  let destinations: InjectDestinations.Found
  let saved: Saved?
  let showsSecrets: Bool

  /// Where the listener is saved.
  struct Saved: Sendable {
    let path: String
    /// Whether this run changed the file.
    let isNew: Bool
  }

  var warnings: [String] {
    destinations.warnings + edit.warnings(of: loaded, writing: output)
  }
  var notes: [String] { destinations.notes + edit.platformNotes }
  var revealsCredentials: Bool { showsSecrets }

  var json: JSONValue {
    [
      "schema": "ipa-inject/inject/1",
      "input": .string(loaded.path),
      "output": .optional(output.resultPath(of: loaded)),
      "app": .optional(loaded.bundlePath),
      "plist": .string(loaded.application.infoPlistPath),
      "plistFormat": .string(edit.format.rawValue),
      "installationID": .optional(injection.urls.first.map { shown($0.installationID) }),
      "destinations": .array(
        zip(injection.urls, destinations.destinations).map { url, destination in
          [
            "url": .string(shown(url)), "scheme": .string(url.scheme.rawValue),
            "host": .string(url.host.description), "port": .integer(Int64(url.port)),
            "kind": .string(destination.kind.rawValue),
            "interface": .optional(destination.interface),
          ]
        }),
      "listener": destinations.listener.map(json(of:)) ?? .null,
      "changes": edit.changesJSON,
      "signature": .string(edit.signature(of: loaded)),
      "warnings": .strings(warnings),
      "notes": .strings(notes),
    ]
  }

  func text(_ style: Style) -> String {
    if output.isDryRun { return edit.dryRunText(of: loaded, style) }
    var lines = [edit.summary(of: loaded, at: output.resultPath(of: loaded))]
    lines += zip(injection.urls, destinations.destinations).map { url, destination in
      "  \(shown(url))" + (destination.interface.map { style.dim("  \($0)") } ?? "")
    }
    if let saved, saved.isNew {
      lines.append("the listener's settings are saved in \(saved.path.printable)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func json(of listener: Listener) -> JSONValue {
    [
      "host": .string(listener.host), "port": .integer(Int64(listener.port)),
      "hostFrom": .string(listener.hostFrom.rawValue),
      "portFrom": .string(listener.portFrom.rawValue), "saved": .optional(saved?.path),
    ]
  }

  private func shown(_ url: UpdateURL) -> String { showsSecrets ? url.revealed : url.description }
  private func shown(_ id: InstallationID) -> String { showsSecrets ? id.revealed : id.description }
}

extension PlistEdit {
  /// What a person should know after an edit.
  func warnings(of loaded: LoadedApp, writing output: OutputOptions) -> [String] {
    let isSigned = loaded.application.isSealed && !isEmpty
    let fits = output.isDryRun ? "will no longer fit" : "no longer fits"
    return loaded.application.warnings + notes
      + loaded.bundlesWithoutInfoPlist.map {
        "\($0.path) has no Info.plist; a device refuses the app"
      }
      + diagnosticLines(of: loaded.application.infoPlistPath)
      + (isSigned ? ["the app was signed; its signature \(fits), so sign it again"] : [])
      + (isEmpty ? [] : output.warnings(editing: loaded.application))
  }

  /// What other readers may make of a document of some name, a line each.
  func diagnosticLines(of name: String) -> [String] {
    diagnostics.filter { $0.code != .refusedInEntitlements }.map { diagnostic in
      let place = [diagnostic.location?.description, diagnostic.keyPath?.description]
      return ([name] + place.compactMap { $0?.nonEmpty } + [diagnostic.detail])
        .joined(separator: ": ")
    }
  }

  /// What the edit did to the app's signature: nothing, where there is none or nothing changed.
  func signature(of loaded: LoadedApp) -> String {
    loaded.application.isSealed && !isEmpty ? "invalidated" : "none"
  }

  var changesJSON: JSONValue {
    .array(
      changes.map { change in
        [
          "op": .string(change.op.rawValue), "path": .string(change.path.description),
          "value": change.new.map(JSONValue.init) ?? .null,
        ]
      })
  }

  func dryRunText(of loaded: LoadedApp, _ style: Style) -> String {
    dryRunText(of: loaded.application.infoPlistPath, style)
  }

  /// What a dry run prints of a property list of some name.
  func dryRunText(of name: String, _ style: Style) -> String {
    guard !isEmpty else { return "nothing to change in \(name.printable)\n" }
    return diff(name: name.printable, style: style).nonEmpty
      ?? "only the form of \(name.printable) changes\n"
  }

  /// One line on what was done.
  func summary(of loaded: LoadedApp, at path: String?) -> String {
    let place = (path ?? loaded.path).printable
    guard !isEmpty else { return "\(place): nothing to change" }
    let count = changes.count == 1 ? "1 change" : "\(changes.count) changes"
    return "\(place): \(count) in \(loaded.application.infoPlistPath) (\(format.rawValue))"
  }
}
