internal import AppBundle
internal import PlistKit

extension HandOffCheck {
  /// What changed in the Info.plists of the app and of the bundles in it.
  static func infoPlistFindings(
    _ original: Application, _ result: Application, asked: [String]
  ) throws(BundleError) -> [HandOffFinding] {
    var found = try main(original, result, asked)
    let later = Dictionary(
      result.nestedBundles.map { (result.pathInApp($0.path), $0) },
      uniquingKeysWith: { a, _ in a })
    var budget = 32 << 20
    for bundle in original.nestedBundles {
      guard let path = bundle.infoPlistPath, budget > 0,
        let now = later[original.pathInApp(bundle.path)]?.infoPlistPath,
        // What could not be read before is no signer's fault.
        let old = try? original.contents(of: path, limit: budget),
        let document = try? PlistDocument(parsing: old, limits: .infoPlist)
      else { continue }
      budget -= old.count
      let new = try result.contents(of: now)
      guard old != new else { continue }
      found += compare(document, new, file: now, bundle: bundle.path, asked, isMain: false)
    }
    return found
  }

  private static func main(
    _ original: Application, _ result: Application, _ asked: [String]
  ) throws(BundleError) -> [HandOffFinding] {
    let (old, new) = (try original.infoPlist(), try result.infoPlist())
    guard old != new, let document = try? PlistDocument(parsing: old, limits: .infoPlist) else {
      return []
    }
    return compare(
      document, new, file: result.infoPlistPath, bundle: "the app", asked, isMain: true)
  }

  private static func compare(
    _ old: PlistDocument, _ bytes: [UInt8], file: String, bundle: String, _ asked: [String],
    isMain: Bool
  ) -> [HandOffFinding] {
    let new: PlistDocument
    do throws(PlistError) { new = try PlistDocument(parsing: bytes, limits: .infoPlist) } catch {
      return [
        HandOffFinding(
          .updateMetadata, "Info.plist cannot be read any more: \(error.detail)", file: file)
      ]
    }
    var found: [HandOffFinding] = []
    if new.format != old.format {
      found.append(
        HandOffFinding(
          .plistFormat, "Info.plist is \(new.format.rawValue) now, \(old.format.rawValue) before",
          file: file))
    }
    guard let changes = try? PlistChange.changes(from: old.root, to: new.root) else {
      return found + [HandOffFinding(.plistValues, "very much of Info.plist changed", file: file)]
    }
    return found + findings(of: changes, file: file, bundle: bundle, asked, isMain: isMain)
  }

  /// What the contract writes, by the first key of the path.
  private static let updateKeys: Set = [
    "IPAHub", "NSAppTransportSecurity", "NSLocalNetworkUsageDescription",
  ]

  private static func findings(
    of changes: [PlistChange], file: String, bundle: String, _ asked: [String], isMain: Bool
  ) -> [HandOffFinding] {
    var found: [HandOffFinding] = []
    var others: [PlistChange] = []
    var ofUpdates: [PlistChange] = []
    for change in changes {
      let first = change.path.description.split(separator: "/").first.map(String.init) ?? ""
      if change.path.description == "/CFBundleIdentifier" {
        let (old, new) = (change.old?.string ?? "none", change.new?.string ?? "none")
        let isAsked = !asked.isEmpty && asked.contains { $0.contains(new) }
        found.append(
          HandOffFinding(
            .identifier, "\(bundle) is \(new) now, \(old) before", file: file,
            keyPath: "/CFBundleIdentifier", level: isAsked ? .warning : nil))
      } else if isMain, change.op != .add, updateKeys.contains(first) {
        ofUpdates.append(change)
      } else {
        others.append(change)
      }
    }
    for (kind, group) in [(HandOffFinding.Kind.updateMetadata, ofUpdates), (.plistValues, others)] {
      guard let first = group.first else { continue }
      let done =
        switch first.op {
        case .add: "was added"
        case .replace: "was changed"
        case .remove: "was removed"
        }
      let more = group.count > 1 ? ", and \(group.count - 1) more values" : ""
      let path = first.path.description
      found.append(HandOffFinding(kind, "\(path) \(done)\(more)", file: file, keyPath: path))
    }
    return found
  }
}
