internal import AppBundle

/// What `verify` can print.
enum VerifyFormat: String, Sendable, CaseIterable {
  case text, json, sarif, junit, github

  /// A document of the format that can be on many inputs, nil where it is none.
  func document(settings: VerifySettings) -> (any ReportDocument)? {
    switch self {
    case .sarif: SARIFLog(settings: settings)
    case .junit: JUnitDocument()
    case .text, .json, .github: nil
    }
  }
}

/// A verification as it is printed.
struct VerifyResult: Report {
  let report: VerifyReport
  let format: VerifyFormat

  var json: JSONValue { report.json }
  var status: ExitStatus { report.status }
  var warnings: [String] { report.warnings }

  func text(_ style: Style) -> String {
    switch format {
    case .text: VerifyText(report: report, style: style).text
    case .json: report.json.encoded()
    case .github: GitHubAnnotations(report: report).text
    case .sarif, .junit:
      format.document(settings: report.settings)?.text(of: .report(report), status: status) ?? ""
    }
  }
}

/// A document that says of an input that it cannot be looked at.
struct VerifyFailure: Report {
  let document: String
  let status: ExitStatus
  let failure: String?

  var json: JSONValue { .string(document) }
  func text(_ style: Style) -> String { document }
}

/// The files that `--sarif` and `--junit` name.
struct VerifyFiles: Sendable {
  static let options: [(name: String, format: VerifyFormat)] = [
    ("--sarif", .sarif), ("--junit", .junit),
  ]

  private let paths: [(option: String, format: VerifyFormat, path: String)]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = Self.options.compactMap { option in
      arguments[option.name].map { (option.name, option.format, $0) }
    }
    if let empty = paths.first(where: { $0.path.isEmpty }) {
      throw UsageError("\(empty.option) is empty")
    }
  }

  var isEmpty: Bool { paths.isEmpty }

  /// The files, made but not yet named, so that a place where one cannot go stops the work early.
  func opened(
    settings: VerifySettings, otherThan inputs: [String?], read: [String?] = []
  ) throws(Failure) -> OpenedVerifyFiles {
    var files: [OpenedVerifyFiles.File] = []
    for (option, format, path) in paths {
      guard let document = format.document(settings: settings) else { continue }
      files.append(
        OpenedVerifyFiles.File(
          document: document,
          file: try ReportFile(
            path, option: option, otherThan: inputs.compactMap(\.self),
            read: ([settings.config] + read).compactMap(\.self), reports: files.map(\.file))))
    }
    return OpenedVerifyFiles(files: files)
  }
}

/// Files of reports in the making, on one input or on many.
struct OpenedVerifyFiles {
  struct File {
    var document: any ReportDocument
    let file: ReportFile
  }

  var files: [File]

  /// Writes the reports on one input.
  func write(_ input: VerifiedInput, status: ExitStatus) throws(Failure) {
    for file in files { try file.file.write(file.document.text(of: input, status: status)) }
  }
}
