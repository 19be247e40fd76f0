/// Finds the main application among an input's entries.
struct AppLocator {
  let table: any MemberTable
  /// The folder in which applications lie: `Payload`, `Products/Applications`.
  let folder: String

  private var prefix: [UInt8] { Array(folder.utf8) + [MemberName.slash] }

  /// Whether the input has the folder at all.
  var hasFolder: Bool {
    let prefix = prefix
    return (0..<table.count).contains { index in
      let name = table.name(index)
      return name.starts(with: prefix)
        || (table.kind(index) == .directory && name.elementsEqual(prefix.dropLast()))
    }
  }

  /// The path of the one application, or of the one of a name.
  ///
  /// An application is a folder `*.app` with something in it, directly in the folder; whether the
  /// archive has entries for folders does not matter.
  /// A name may be given with or without `.app`.
  /// - Throws: ``BundleError`` with codes `noApplication`, `severalApplications`.
  func find(_ wanted: String?) throws(BundleError) -> [UInt8] {
    let found = listing()
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

  private func listing() -> (apps: [[UInt8]], others: [[UInt8]]) {
    let prefix = prefix
    var apps: Set<[UInt8]> = []
    var others: Set<[UInt8]> = []
    for index in 0..<table.count {
      let name = table.name(index)
      guard name.starts(with: prefix) else { continue }
      let rest = name.dropFirst(prefix.count)
      let part = rest.prefix { $0 != MemberName.slash }
      guard !part.isEmpty else { continue }
      let holdsMembers = rest.count > part.count + 1
      if holdsMembers, Self.isApplicationName(part) {
        apps.insert(Array(part))
      } else if others.count < 1000 {
        others.insert(Array(part))
      }
    }
    others.subtract(apps)
    return (Self.sorted(apps), Self.sorted(others))
  }

  /// AppleDouble files (`._X.app`) are no applications, and a name with a zero byte is one thing
  /// to one reader and another to the next.
  private static func isApplicationName(_ name: ArraySlice<UInt8>) -> Bool {
    name.hasSuffix(".app") && name.count > 4 && !name.starts(with: "._".utf8) && !name.contains(0)
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
        if parts.first?.elementsEqual("__MACOSX".utf8) == false {
          return BundleError(
            .noPayload, detail: "\(folder)/ is not at the top, it lies in \(parent)/",
            hint: "pack what is in \(parent)")
        }
      }
      guard let first = parts.first, top.count < 1000 else { continue }
      top.insert(Array(first))
      let shown = MemberName.display(first)
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
