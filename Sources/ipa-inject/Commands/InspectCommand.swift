internal import ATSMerge
internal import AppBundle
internal import CodeSigning
internal import NetDiscovery
internal import PlistKit

/// Shows what an app is and what it may reach.
struct InspectCommand: Command {
  static let name = "inspect"
  static let summary = "show an app's update metadata, network settings and signature"
  static let usage = ["INPUT [options]"]
  static let options = [
    OptionGroup(
      "Options",
      [
        .value("--html", "FILE", "also write a page to read, send or print"),
        LoadedApp.noHashingOption,
        LoadedApp.appOption,
        .showSecrets,
      ])
  ]

  let input: String
  let app: String?
  let page: String?
  let hashes: Bool
  let showsSecrets: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try Self.argument(arguments)
    app = arguments["--app"]
    page = arguments["--html"]
    hashes = !arguments.has("--no-hashing")
    showsSecrets = arguments.has("--show-secrets")
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let file = try page.map { path throws(Failure) in
      try ReportFile(path, option: "--html", otherThan: [input])
    }
    let loaded = try LoadedApp(input, app: app, log: environment.log)
    let signature = try loaded.signature(checksContents: hashes, workers: environment.workers)
    let report = InspectReport(
      loaded, signing: InspectedSigning(signature, of: loaded, at: try environment.moment()),
      showsSecrets: showsSecrets)
    if let file {
      let date = try environment.sourceDateEpoch
      try file.write(AppPage(report: report, icon: loaded.icon(), date: date).document())
    }
    return report
  }
}

/// What an app is.
struct InspectReport: Report {
  let loaded: LoadedApp
  let metadata: UpdateMetadata
  let nested: [NestedApp]
  let localizedTexts: [(language: String, path: String, text: String)]
  let signing: InspectedSigning
  let showsSecrets: Bool
  let warnings: [String]

  var revealsCredentials: Bool { showsSecrets }

  /// A nested bundle with what its Info.plist says.
  struct NestedApp: Sendable {
    let bundle: NestedBundle
    let infoPlist: PlistDictionary?

    func text(_ key: String) -> String? { infoPlist?[key]?.string }
  }

  init(_ loaded: LoadedApp, signing: InspectedSigning, showsSecrets: Bool) {
    self.loaded = loaded
    self.signing = signing
    self.showsSecrets = showsSecrets
    metadata = UpdateMetadata(infoPlist: loaded.root)
    let (read, nestedProblems) = loaded.nestedInfoPlists()
    let roots = Dictionary(read.map { ($0.bundle.path, $0.root) }) { $1 }
    nested = loaded.application.nestedBundles.map {
      NestedApp(bundle: $0, infoPlist: roots[$0.path]?.dictionary)
    }
    let (texts, textProblems) = loaded.localizedTexts(of: LocalNetworkText.key)
    localizedTexts = texts
    warnings =
      loaded.application.warnings + nestedProblems + textProblems
      + signing.warnings
  }

  var json: JSONValue {
    [
      "schema": "ipa-inject/inspect/1",
      "input": [
        "path": .string(loaded.path), "kind": .string(loaded.application.kind.rawValue),
        "bytes": .unsigned(loaded.application.byteCount),
        "entries": .integer(Int64(loaded.application.entryCount)),
      ],
      "app": appJSON,
      "updateMetadata": metadataJSON,
      "ats": transportJSON,
      "localNetwork": localNetworkJSON,
      "bundles": .array(nested.map(bundleJSON) + mainBundleJSON),
      "signature": signing.signatureJSON,
      "profile": signing.profileJSON,
    ]
  }

  var name: String? { loaded.text("CFBundleDisplayName") ?? loaded.text("CFBundleName") }
  var minimumOSVersion: String? {
    loaded.text("MinimumOSVersion") ?? loaded.text("LSMinimumSystemVersion")
  }
  var platforms: [String] { AppPlatforms(infoPlist: loaded.root).names }

  /// The Bonjour services that the app looks for.
  var bonjourServices: [String] {
    loaded.root.dictionary?[LocalNetworkText.bonjourServices]?.array?.compactMap(\.string) ?? []
  }

  /// The exception domains as they stand.
  var exceptions: [PlistDictionary.Entry] {
    let path = PlistKeyPath(keys: ATSKey.transportSecurity, ATSKey.exceptionDomains)
    return loaded.root[path]?.dictionary?.entries ?? []
  }

  /// The app-wide settings as they stand.
  var settings: [PlistDictionary.Entry] {
    (loaded.root.dictionary?[ATSKey.transportSecurity]?.dictionary?.entries ?? [])
      .filter { $0.key != ATSKey.exceptionDomains }
  }

  /// The hosts that need an exception for updates.
  var updateHosts: Set<String> { Set(metadata.urls.exceptionHosts.map(\.description)) }

  private var appJSON: JSONValue {
    [
      "path": .optional(loaded.bundlePath),
      "bundleIdentifier": .optional(loaded.text("CFBundleIdentifier")),
      "name": .optional(name),
      "version": .optional(loaded.text("CFBundleShortVersionString")),
      "build": .optional(loaded.text("CFBundleVersion")),
      "platforms": .strings(platforms),
      "minimumOSVersion": .optional(minimumOSVersion),
      "executable": .optional(loaded.text("CFBundleExecutable")),
      "plistFormat": .string(loaded.document.format.rawValue),
    ]
  }

  private var metadataJSON: JSONValue {
    [
      "state": .string(metadata.state.rawValue),
      "updateURL": .array(metadata.entries.map(entryJSON)),
      "source": .optional(metadata.source), "filter": .optional(metadata.filter),
      "team": .optional(metadata.team), "release": .optional(metadata.release),
      "unknownKeys": .strings(metadata.unknownKeys),
      "problems": .strings(metadata.problems),
    ]
  }

  private func entryJSON(_ entry: UpdateMetadata.Entry) -> JSONValue {
    let url = try? entry.url?.get()
    var problem: String?
    if case .failure(let error) = entry.url { problem = error.detail }
    if entry.text == nil { problem = "it is no string" }
    let id = url.map { showsSecrets ? $0.installationID.revealed : $0.installationID.description }
    return [
      "url": .optional(entry.text), "scheme": .optional(url?.scheme.rawValue),
      "host": .optional(url?.host.description),
      "port": url.map { .integer(Int64($0.port)) } ?? .null,
      "installationID": .optional(id), "valid": .bool(url != nil), "problem": .optional(problem),
    ]
  }

  private var transportJSON: JSONValue {
    let updateHosts = updateHosts
    return [
      "present": .bool(loaded.root.dictionary?[ATSKey.transportSecurity] != nil),
      "settings": .object(settings.map { ($0.key, JSONValue($0.value)) }),
      "exceptions": .array(
        exceptions.map { entry in
          [
            "domain": .string(entry.key), "kind": .string(ExceptionDomainKind(entry.key).rawValue),
            "keys": JSONValue(entry.value),
            "neededBy": updateHosts.contains(entry.key) ? "update" : .null,
          ]
        }),
    ]
  }

  private var localNetworkJSON: JSONValue {
    let root = loaded.root.dictionary
    return [
      "usageDescription": root?[LocalNetworkText.key].map(JSONValue.init) ?? .null,
      "localized": .array(
        localizedTexts.map { ["language": .string($0.language), "text": .string($0.text)] }),
      "bonjourServices": .strings(bonjourServices),
    ]
  }

  private func bundleJSON(_ nested: NestedApp) -> JSONValue {
    [
      "path": .string(nested.bundle.path), "kind": .string(nested.bundle.kind.rawValue),
      "bundleIdentifier": .optional(nested.text("CFBundleIdentifier")),
      "version": .optional(nested.text("CFBundleShortVersionString")),
      "executable": .optional(nested.text("CFBundleExecutable")),
      "signed": .bool(signing.isSigned(nested.bundle)),
    ]
  }

  /// The app itself, signed last.
  private var mainBundleJSON: [JSONValue] {
    guard let path = loaded.bundlePath else { return [] }
    return [
      [
        "path": .string(path), "kind": .string(BundleKind.app.rawValue),
        "bundleIdentifier": .optional(loaded.text("CFBundleIdentifier")),
        "version": .optional(loaded.text("CFBundleShortVersionString")),
        "executable": .optional(loaded.text("CFBundleExecutable")),
        "signed": .bool(loaded.application.isSealed),
      ]
    ]
  }
}
