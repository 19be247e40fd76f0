internal import ATSMerge
internal import PlistKit

/// A verification as annotations of GitHub Actions, one line each, errors first.
///
/// Source: GitHub Actions, "Workflow commands", whose values escape `%` and line ends and whose
/// properties also `:` and `,`. GitHub shows ten of each level for a step and keeps the others in the
/// log, so all are printed and the worst stand first. The texts are an app's, so nothing that ends a
/// line may come through.
struct GitHubAnnotations {
  let report: VerifyReport

  var text: String {
    report.findings.worstFirst.map(annotation).joined()
  }

  private func annotation(_ finding: Finding) -> String {
    let kind = finding.level == .note ? "notice" : finding.level.rawValue
    let file = report.file(of: finding)
    var properties = [("file", file.path.withoutDotSlash)]
    var places = [file.member, finding.pathText]
    switch finding.place?.location {
    case .line(let line, let column)? where file.member == nil:
      properties.append(("line", "\(line)"))
      properties.append(("col", "\(finding.place?.scalarColumn ?? column)"))
    case nil: break
    default: places.insert(finding.placeText, at: 1)
    }
    properties.append(("title", finding.rule))
    let place = places.compactMap(\.self).joined(separator: " ")
    let message = finding.shownMessage + (place.isEmpty ? "" : " (\(place))")
    return "::\(kind) "
      + properties.map { "\($0)=\(Self.escaped($1, "%:,"))" }.joined(separator: ",")
      + "::\(Self.escaped(message, "%"))\n"
  }

  private static func escaped(_ text: String, _ special: String) -> String {
    PercentCoding.encode(text.printable) { special.utf8.contains($0) }
  }
}

extension String {
  /// A path without `./` at its start, as systems that compare paths know it.
  var withoutDotSlash: String {
    var path = self[...]
    while path.hasPrefix("./"), path.utf8.count > 2 { path = path.dropFirst(2) }
    return String(path)
  }
}
