internal import AppBundle
internal import AppIcon

extension LoadedApp {
  /// Bytes that all looked-at icon files may come to, and how many are tried before giving up.
  private static let iconBudget = 16 << 20
  private static let mostIconFiles = 32
  private static let mostTries = 4
  private static let pixelBudget = AppIcon.longestSide * AppIcon.longestSide

  /// The app's largest icon that can be decoded. A damaged one is no error: a note says so.
  func icon() -> PageIcon {
    guard let folder = resourceFolder else { return PageIcon() }
    let names = application.members.lazy.filter { $0.kind == .file }.compactMap { member in
      folder.isEmpty || member.path.hasPrefix(folder + "/")
        ? String(member.path.dropFirst(folder.isEmpty ? 0 : folder.count + 1)) : nil
    }.filter { !$0.contains("/") && $0.hasSuffix(".png") }
    let files = IconNames(infoPlist: root).files(among: Array(names))
    var budget = Self.iconBudget
    let found = files.sorted().prefix(Self.mostIconFiles).compactMap { name -> IconFile? in
      let path = folder.isEmpty ? name : folder + "/" + name
      guard
        let bytes = try? application.contents(
          of: path, limit: min(budget, AppIcon.byteLimit))
      else { return nil }
      budget -= bytes.count
      let size = AppIcon.size(of: bytes) ?? (0, 0)
      // Neither is over 2^31 - 1.
      return IconFile(name: name, bytes: bytes, area: size.width * size.height)
    }
    let ranked = found.enumerated().sorted {
      $0.element.area != $1.element.area
        ? $0.element.area > $1.element.area : $0.offset < $1.offset
    }.map(\.element)
    var problem: String?
    // Damage that shows only behind all pixels costs as much as an icon does.
    var pixels = Self.pixelBudget
    for file in ranked.lazy.filter({ $0.area <= pixels }).prefix(Self.mostTries) {
      pixels -= file.area
      do throws(IconError) {
        let icon = try AppIcon(decoding: file.bytes)
        return PageIcon(image: (icon.png, icon.width, icon.height))
      } catch { problem = problem ?? "\(file.name) is not shown: \(error.detail)" }
    }
    let unread = files.isEmpty ? nil : "none of \(files.count) icon files can be read"
    return PageIcon(note: problem ?? unread)
  }

  private struct IconFile {
    let name: String
    let bytes: [UInt8]
    let area: Int
  }

  /// Where the app's own files lie; nil for a property list by itself.
  private var resourceFolder: String? {
    guard let path = application.bundlePath else { return nil }
    guard application.layout == .deep else { return path }
    return path.isEmpty ? "Contents/Resources" : path + "/Contents/Resources"
  }
}
