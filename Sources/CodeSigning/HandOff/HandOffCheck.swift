package import AppBundle
internal import PlistKit

/// What a signer did to an app beside signing it.
///
/// Members are matched by their path in the main app, and where both inputs have a `Payload` also those beside
/// it. Code, signatures and profiles are expected to change; no other content is compared but that of the
/// Info.plists, since the seal is checked against it.
package struct HandOffCheck {
  private let original: Application
  private let result: Application
  private let signer: (any Signer)?
  /// What the command line asked for, where changed identifiers may stand.
  private let asked: [String]

  package init(
    _ original: Application, became result: Application, by signer: (any Signer)?,
    asked: [String] = []
  ) {
    self.original = original
    self.result = result
    self.signer = signer
    self.asked = asked
  }

  /// All that is found, errors first.
  /// - Throws: ``BundleError`` where a member cannot be read.
  package func findings() throws(BundleError) -> [HandOffFinding] {
    var found = memberFindings() + sizeFindings()
    found += try Self.infoPlistFindings(original, result, asked: asked)
    for index in found.indices {
      found[index].trap = HandOffFinding.Kind(rawValue: found[index].rule)
        .flatMap { signer?.trap(for: $0) }
    }
    return found.filter { $0.level == .error } + found.filter { $0.level != .error }
  }

  // MARK: - Members

  private func memberFindings() -> [HandOffFinding] {
    let before = Self.members(of: original, withOthers: comparesOthers)
    let after = Self.members(of: result, withOthers: comparesOthers)
    var gone: [String] = []
    var links: [String] = []
    var bits: [String] = []
    for (path, member) in before.sorted(by: { $0.key < $1.key }) {
      guard let new = after[path] else {
        gone.append(path)
        continue
      }
      if member.kind == .symbolicLink, new.kind != .symbolicLink { links.append(path) }
      let (old, now) = (member.permissions ?? 0, new.permissions ?? 0)
      if member.kind == .file, new.kind == .file, old & 0o111 != 0, now & 0o111 == 0 {
        bits.append(path)
      }
    }
    var come = after.keys.filter { before[$0] == nil }.sorted()
    let unreadable = after.filter { $0.value.kind == .file && $0.value.permissions == 0 }
      .map(\.key).filter { before[$0]?.permissions != 0 }.sorted()
    let renamed = Self.renamed(gone, &come)
    gone.removeAll { renamed[$0] != nil }
    let goneLinks = gone.filter { before[$0]?.kind == .symbolicLink }
    let hidden = gone.filter { before[$0]?.kind != .symbolicLink && Self.isHidden($0) }
    let rest = gone.filter { before[$0]?.kind != .symbolicLink && !Self.isHidden($0) }
    return [
      Self.finding(
        .symbolicLinks, links, one: "the symbolic link is a file now",
        many: "symbolic links are files now"),
      Self.finding(
        .symbolicLinks, goneLinks, one: "the symbolic link is gone", many: "symbolic links are gone"
      ),
      Self.finding(
        .executeBits, bits, one: "it can no longer be executed",
        many: "files can no longer be executed"),
      Self.finding(
        .permissions, unreadable, one: "nobody may read it", many: "files that nobody may read"),
      renamedFinding(renamed),
      Self.finding(
        .hiddenFiles, hidden, one: "it is gone",
        many: "files whose names begin with a point are gone"),
      Self.finding(.removed, rest, one: "it is gone", many: "files are gone"),
      Self.finding(
        .added, come, one: "it was not there before", many: "files were not there before"),
    ].compactMap(\.self)
  }

  private var comparesOthers: Bool {
    let containers: Set<InputKind> = [.ipa, .payload]
    return containers.contains(original.kind) && containers.contains(result.kind)
  }

  /// Files and links by their path in the app, those outside it by a path that no such one has.
  private static func members(
    of application: Application, withOthers: Bool
  ) -> [String: Member] {
    var members: [String: Member] = [:]
    for member in application.members where member.kind == .file || member.kind == .symbolicLink {
      guard !isOfSigning(member.path) else { continue }
      if let path = application.pathInApp(member.path) {
        members[path] = member
      } else if withOthers {
        members["../" + member.path] = member
      }
    }
    return members
  }

  /// Whether a file is part of a signature, or of nothing that a device reads.
  private static func isOfSigning(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    let others: Set<Substring> = ["_CodeSignature", "SC_Info", "__MACOSX"]
    let files: Set<Substring> = [
      "embedded.mobileprovision", "embedded.provisionprofile", "CodeResources", ".DS_Store",
      "archived-expanded-entitlements.xcent",
    ]
    return parts.contains(where: others.contains) || parts.last.map(files.contains) ?? true
  }

  private static func isHidden(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".") && $0 != ".." }
  }

  private static func finding(
    _ kind: HandOffFinding.Kind, _ paths: [String], one: String, many: String
  ) -> HandOffFinding? {
    guard let first = paths.first else { return nil }
    let message = paths.count == 1 ? one : "\(paths.count) \(many), this one among them"
    return HandOffFinding(kind, message, file: first)
  }

  // MARK: - Names

  /// The new names of files that have one; they go from the list of those that have come.
  private static func renamed(_ gone: [String], _ come: inout [String]) -> [String: String] {
    var byGarbled: [String: String] = [:]
    for path in gone {
      for garbled in GarbledName.forms(of: path) { byGarbled[garbled] = path }
    }
    var renamed: [String: String] = [:]
    come.removeAll { path in
      guard let old = byGarbled[path], renamed[old] == nil else { return false }
      renamed[old] = path
      return true
    }
    return renamed
  }

  private func renamedFinding(_ renamed: [String: String]) -> HandOffFinding? {
    guard let first = renamed.min(by: { $0.key < $1.key }) else { return nil }
    let others = renamed.count > 1 ? ", and \(renamed.count - 1) more are garbled" : ""
    return HandOffFinding(.names, "its name became \(first.value)\(others)", file: first.key)
  }

  // MARK: - Size

  private func sizeFindings() -> [HandOffFinding] {
    let (old, new) = (original.byteCount, result.byteCount)
    guard original.kind == .ipa, result.kind == .ipa, new > 1 << 16, new / 3 > old / 2 else {
      return []
    }
    return [HandOffFinding(.size, "the archive has \(new) bytes, \(old) before")]
  }
}
