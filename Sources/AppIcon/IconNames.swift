public import PlistKit

/// The names that an Info.plist gives to icon files, and which files they mean.
///
/// Source: Apple, "CFBundleIcons", "CFBundlePrimaryIcon", "CFBundleIconFiles", "CFBundleIconFile"
/// (Information Property List); "Resource Programming Guide", "Loading Image Resources" (`@2x`,
/// `~ipad`).
public struct IconNames: Sendable, Equatable {
  /// Names with and without extension and variant, each once, as many as are looked at.
  public let names: [String]

  /// No app has more sizes.
  private static let mostNames = 64
  private static let usualNames = ["AppIcon", "Icon", "icon"]
  private static let devices = ["ipad", "iphone", "tv", "watch", "macos"]

  /// Reads an Info.plist; a value of another type than Apple's names nothing.
  public init(infoPlist root: PlistValue) {
    let dictionary = root.dictionary
    var found: [String] = []
    func add(_ names: some Sequence<String>) {
      for name in names where found.count < Self.mostNames && Self.isName(name) {
        if !found.contains(name) { found.append(name) }
      }
    }
    for suffix in ["", "~ipad", "~iphone"] {
      let primary = dictionary?["CFBundleIcons" + suffix]?.dictionary?["CFBundlePrimaryIcon"]
      let files = primary?.dictionary?["CFBundleIconFiles"]?.array ?? []
      add(files.lazy.compactMap(\.string))
      add([primary?.dictionary?["CFBundleIconName"]?.string, primary?.string].compactMap(\.self))
      add(
        (dictionary?["CFBundleIconFiles" + suffix]?.array ?? []).lazy.compactMap(\.string))
      add([dictionary?["CFBundleIconFile" + suffix]?.string].compactMap(\.self))
    }
    names = found
  }

  /// A name of one file, in no other folder.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 255 && !name.contains("/") && name != "." && name != ".."
  }

  /// Which of the files in the app's folder are meant; where that is none, those that are usually
  /// called so.
  public func files(among files: [String]) -> [String] {
    let stems = names.map(Self.stem)
    let named = files.filter { file in
      Self.extent(of: file).map { stems.contains(Self.stem($0)) } ?? false
    }
    if !named.isEmpty { return named }
    return files.filter { file in
      file.hasSuffix(".png") && Self.usualNames.contains { file.hasPrefix($0) }
    }
  }

  /// The name without `.png`, nil for a file of another type.
  private static func extent(of file: String) -> String? {
    file.lowercased().hasSuffix(".png") ? String(file.dropLast(4)) : nil
  }

  /// The name without `.png`, `~ipad` and `@2x`.
  private static func stem(_ name: String) -> String {
    var rest = (extent(of: name) ?? name)[...]
    for device in devices where rest.hasSuffix("~" + device) {
      rest = rest.dropLast(device.count + 1)
    }
    for scale in ["@2x", "@3x"] where rest.hasSuffix(scale) { rest = rest.dropLast(3) }
    return String(rest)
  }
}
