/// Finds the main application among an input's entries.
struct AppLocator {
  private let table: any MemberTable
  /// The folder in which applications lie: `Payload`, `Products/Applications`.
  private let folder: String
  /// Whether the input has the folder at all.
  private(set) var hasFolder = false
  private var apps: Set<[UInt8]> = []
  /// What else lies in the folder, up to a thousand names.
  private var others: Set<[UInt8]> = []

  private var prefix: [UInt8] { Array(folder.utf8) + [MemberName.slash] }

  init(table: any MemberTable, folder: String) {
    self.table = table
    self.folder = folder
    let prefix = prefix
    // Neighbours mostly lie in the same application: it is noted once.
    var last: [UInt8] = []
    var isLastApp = false
    table.forEachName { index, name in
      guard name.starts(with: prefix.span) else {
        // The folder's own entry.
        if !hasFolder, name.count == prefix.count - 1, prefix.span.starts(with: name) {
          hasFolder = table.kind(index) == .directory
        }
        return
      }
      hasFolder = true
      let rest = name.extracting(prefix.count...)
      if isLastApp, rest.count > last.count + 1, rest[last.count] == MemberName.slash,
        rest.starts(with: last.span)
      {
        return
      }
      let end = rest.indices.first { rest[$0] == MemberName.slash } ?? rest.count
      guard end > 0 else { return }
      let part = rest.extracting(..<end)
      let isApp = rest.count > end + 1 && Self.isApplicationName(part)
      guard isApp || others.count < 1000 else { return }
      guard isApp != isLastApp || !part.isIdentical(to: last.span) else { return }
      last = Array(part)
      isLastApp = isApp
      if isApp { apps.insert(last) } else { others.insert(last) }
    }
    others.subtract(apps)
  }

  /// The path of the one application, or of the one of a name.
  ///
  /// An application is a folder `*.app` with something in it, directly in the folder; whether the
  /// archive has entries for folders does not matter.
  /// A name may be given with or without `.app`.
  /// - Throws: ``BundleError`` with codes `noApplication`, `severalApplications`.
  func find(_ wanted: String?) throws(BundleError) -> [UInt8] {
    let found = (apps: Self.sorted(apps), others: Self.sorted(others))
    if let wanted {
      let names = [Array(wanted.utf8), Array((wanted + ".app").utf8)]
      if let name = found.apps.first(where: { names.contains($0) }) { return prefix + name }
      throw BundleError(
        .noApplication, member: folder,
        detail: "it holds no application \(wanted), only \(Self.list(found.apps))")
    }
    guard let name = found.apps.first else {
      let others = found.others.isEmpty ? "it is empty" : "only \(Self.list(found.others))"
      throw BundleError(
        .noApplication, member: folder, detail: "it holds no .app folder: \(others)")
    }
    guard found.apps.count == 1 else {
      throw BundleError(
        .severalApplications, member: folder,
        detail: "it holds \(found.apps.count) applications: \(Self.list(found.apps))",
        hint: "choose one with --app NAME")
    }
    return prefix + name
  }

  /// AppleDouble files (`._X.app`) are no applications, and a name with a zero byte is one thing
  /// to one reader and another to the next.
  private static func isApplicationName(_ name: Span<UInt8>) -> Bool {
    name.count > 4 && name.hasSuffix(".app")
      && !(name[0] == MemberName.dot && name[1] == UInt8(ascii: "_"))
      && !name.indices.contains { name[$0] == 0 }
  }

  private static func sorted(_ names: Set<[UInt8]>) -> [[UInt8]] {
    names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Names for a message.
  static func list(_ names: [[UInt8]]) -> String {
    if names.isEmpty { return "none" }
    let shown = names.prefix(8).map { MemberName.display($0) }.joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}

extension AppLocator {
  /// Says what is wrong with an input that has no `Payload/`, and where its application lies.
  func missingFolder() -> BundleError {
    var top: Set<[UInt8]> = []
    for index in 0..<table.count {
      let parts = MemberName.components(table.name(index))
      if let deeper = parts.dropFirst().firstIndex(where: { $0.elementsEqual(folder.utf8) }) {
        let parent = MemberName.display(
          Array(parts[..<deeper].joined(separator: [MemberName.slash])))
        if parts[..<deeper].allSatisfy({ ["", ".", ".."].contains(MemberName.display($0)) }) {
          return BundleError(
            .noPayload, detail: "\(folder)/ is not at the top, names begin with \(parent)/",
            hint: "pack \(folder) by that name alone")
        }
        if parts.first?.elementsEqual("__MACOSX".utf8) == false {
          return BundleError(
            .noPayload, detail: "\(folder)/ is not at the top, it lies in \(parent)/",
            hint: "pack what is in \(parent)")
        }
      }
      guard let first = parts.first, top.count < 1000 else { continue }
      top.insert(Array(first))
      let shown = MemberName.display(first)
      if first.starts(with: folder.utf8 + [MemberName.backslash]) {
        return BundleError(
          .noPayload,
          detail: "there is no \(folder)/ folder, names have backslashes where slashes belong",
          hint: "pack the app anew with a tool that writes slashes")
      }
      if first.hasSuffix(".app"), parts.count > 1 {
        return BundleError(
          .noPayload, detail: "there is no \(folder)/ folder, \(shown) lies at the top",
          hint: "move it into a folder named \(folder) and pack that")
      }
      if shown != folder, shown.lowercased() == folder.lowercased(), parts.count > 1 {
        return BundleError(
          .noPayload, detail: "there is no \(folder)/ folder, only \(shown)/",
          hint: "the name must be \(folder)")
      }
    }
    let holds = top.isEmpty ? "nothing" : Self.list(Self.sorted(top))
    return BundleError(.noPayload, detail: "there is no \(folder)/ folder, it holds \(holds)")
  }
}
