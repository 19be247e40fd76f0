internal import ATSMerge
internal import AppBundle
internal import PlistKit

/// What differs between two apps, member by member. `diff` shows it, and `verify --before` judges it.
struct AppComparison: Sendable {
  let members: [MemberChange]

  /// Compares two apps; the contents of the main Info.plist may be left out.
  /// - Throws: ``Failure`` where a member cannot be read.
  init(old: LoadedApp, new: LoadedApp, ignoresInfoPlist: Bool = false) throws(Failure) {
    do throws(BundleError) {
      let differences = try new.application.memberDifferences(from: old.application)
      let plist = new.application.infoPlistPath
      members = differences.filter {
        !(ignoresInfoPlist && $0.path == plist && $0.kind == .contents)
      }.map { MemberChange($0, old: old, new: new) }
    } catch { throw Failure(error, file: new.path) }
  }
}

/// A member that differs, as it was and as it is.
struct MemberChange: Sendable {
  /// One of the two.
  struct Side: Sendable {
    let member: Member
    /// The SHA-256 of a file's content in hexadecimal, nil where it is not to be had or not asked for.
    var digest: String?
    /// Where a symbolic link leads.
    var linkTarget: String?
  }

  let path: String
  let kind: MemberDifference.Kind
  let old: Side?
  let new: Side?
  /// The changes by key, nil where it is no property list.
  let changes: [PlistChange]?

  init(_ difference: MemberDifference, old: LoadedApp, new: LoadedApp) {
    path = difference.path
    kind = difference.kind
    self.old = difference.old.map { Side($0, of: difference.kind, in: old.application) }
    self.new = difference.new.map { Side($0, of: difference.kind, in: new.application) }
    changes = Self.changes(difference, old: old.application, new: new.application)
  }

  private static func changes(
    _ difference: MemberDifference, old: Application, new: Application
  ) -> [PlistChange]? {
    let isInfoPlist = difference.path == new.infoPlistPath
    guard difference.kind == .contents, let before = difference.old, let after = difference.new,
      isInfoPlist || [".plist", ".strings"].contains(where: difference.path.hasSuffix),
      let from = try? PlistDocument(parsing: old.contents(of: before.path), limits: .infoPlist),
      let to = try? PlistDocument(parsing: new.contents(of: after.path), limits: .infoPlist)
    else { return nil }
    return try? PlistChange.changes(from: from.root, to: to.root)
  }

  /// What happened to the member, to stand behind its name.
  var sentence: String { told(by: keys ?? digests) }

  /// The same above a list of the changes by key.
  var headline: String {
    told(by: changes.map { $0.isEmpty ? keys : nil } ?? digests)
  }

  private func told(by contents: String?) -> String {
    kind.sentence + (details(contents).map { " (\($0))" } ?? "")
  }

  /// How it differs, in short.
  private func details(_ contents: String?) -> String? {
    switch kind {
    case .added: new?.summary
    case .removed: old?.summary
    case .contents: [sizes, contents].compactMap(\.self).joined(separator: ", ")
    case .permissions: Self.step(old?.permissions, new?.permissions)
    case .linkTarget: Self.step(old?.linkTarget, new?.linkTarget)
    case .kind: Self.step(old?.member.kind.name, new?.member.kind.name)
    case .order, .otherName, .outside: nil
    }
  }

  private var sizes: String? {
    guard let old = old?.member.size, let new = new?.member.size else { return nil }
    return old == new ? "\(new) bytes" : "\(old) -> \(new) bytes"
  }

  private var digests: String? {
    Self.step(old?.shortDigest, new?.shortDigest).map { "SHA-256 \($0)" }
  }

  /// The keys that changed, the first few of many.
  private var keys: String? {
    guard let changes else { return nil }
    if changes.isEmpty { return "the same values in another form" }
    let shown = changes.prefix(5).map { "\($0.op.rawValue) \($0.path.description.cut(to: 200))" }
    let rest = changes.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func step(_ old: String?, _ new: String?) -> String? {
    guard let old, let new else { return nil }
    return "\(old) -> \(new)"
  }
}

extension MemberChange.Side {
  /// Digits of a hash that tell two contents apart for people.
  private static let shownDigits = 12

  init(_ member: Member, of kind: MemberDifference.Kind, in application: Application) {
    self.member = member
    switch (kind, member.kind) {
    case (.contents, .file), (.added, .file), (.removed, .file), (.kind, .file):
      digest = Self.digest(of: member.path, in: application)
    case (_, .symbolicLink): linkTarget = try? application.linkTarget(of: member.path)
    default: break
    }
  }

  private static func digest(of path: String, in application: Application) -> String? {
    guard let digest = FileDigest() else { return nil }
    do throws(BundleError) {
      try application.forEachBlock(of: path) { digest.update($0) }
    } catch { return nil }
    return digest.finish()
  }

  var shortDigest: String? { digest.map { String($0.prefix(Self.shownDigits)) } }

  var permissions: String? {
    member.permissions.map { bits in
      let digits = String(bits, radix: 8)
      return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }

  /// What it is, for one that came or went.
  var summary: String {
    guard member.kind == .file else { return member.kind.name }
    return "\(member.size) bytes" + (shortDigest.map { ", SHA-256 \($0)" } ?? "")
  }

  var json: JSONValue {
    [
      "size": .unsigned(member.size), "sha256": .optional(digest),
      "permissions": .optional(permissions), "linkTarget": .optional(linkTarget),
    ]
  }
}

extension Member.Kind {
  fileprivate var name: String {
    switch self {
    case .file: "a file"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link"
    case .other: "a special file"
    }
  }
}

extension MemberDifference.Kind {
  /// What happened to the member, to stand behind its name.
  var sentence: String {
    switch self {
    case .added: "was added"
    case .removed: "is missing"
    case .contents: "has other contents"
    case .permissions: "has other permissions"
    case .linkTarget: "links elsewhere"
    case .kind: "is of another kind"
    case .order: "stands elsewhere in the archive"
    case .otherName: "has another name in an extra field, which some readers take"
    case .outside: "lies in an archive with other bytes outside its members"
    }
  }
}
