/// Where the parts of a bundle lie.
package enum BundlePlaces {
  /// Whether a folder is the `Contents` of a bundle as those of macOS are.
  package static func isContents(_ folder: String) -> Bool {
    folder == "Contents" || folder.hasSuffix("/Contents")
  }

  /// The folder of a bundle's own files, told from where its Info.plist lies: that of the file, of a
  /// framework's version the one around `Resources`.
  package static func folder(ofInfoPlist path: String, isFramework: Bool) -> String {
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    let isInResources = isFramework && folder.hasSuffix("/Resources")
    return String(isInResources ? folder.dropLast("/Resources".count) : folder)
  }

  /// Where the executable of that name lies: beside those files, or in `MacOS` of `Contents`.
  package static func executable(
    named name: String, in folder: String, isFramework: Bool
  ) -> String {
    let place = isContents(folder) && !isFramework ? folder + "/MacOS" : folder
    return place.isEmpty ? name : "\(place)/\(name)"
  }
}

extension Application {
  /// The path of something in the main app from that app's folder: empty for the app itself, nil for what lies
  /// beside it.
  package func pathInApp(_ path: String) -> String? {
    guard let bundlePath else { return nil }
    if bundlePath.isEmpty { return path == "." ? "" : path }
    if path.utf8.elementsEqual(bundlePath.utf8) { return "" }
    let start = bundlePath + "/"
    // By bytes: a character may reach over the slash, or be one of two forms.
    guard path.utf8.starts(with: start.utf8) else { return nil }
    return String(Substring(path.utf8.dropFirst(start.utf8.count)))
  }
}
