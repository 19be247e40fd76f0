extension CodeObject {
  /// The identifier that its signature should have: the bundle's, else what `codesign` makes of the file's
  /// name.
  ///
  /// Without a bundle identifier that is the last part of the executable's path; an extension that is no
  /// number is taken off, then all numbers but the first at the end: `libz.1.2.dylib` becomes `libz.1`.
  ///
  /// Source: `DiskRep::canonicalIdentifier` in Apple's Security, `diskrep.cpp`; the `-i` option in
  /// codesign(1).
  public var signingIdentifier: String {
    if folder != nil, let bundleIdentifier, !bundleIdentifier.isEmpty { return bundleIdentifier }
    return Self.identifier(ofFile: executablePath ?? path)
  }

  static func identifier(ofFile path: String) -> String {
    var name = path.utf8.split(separator: 0x2F).last ?? path.utf8[...]
    func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    if let point = name.lastIndex(of: 0x2E), point > name.startIndex,
      !name[name.index(after: point)...].allSatisfy(isDigit)
    {
      name = name[..<point]
    }
    guard let first = name.first, !isDigit(first), first != 0x2E else {
      return String(Substring(name))
    }
    // What stands before a version, then the version up to its first point but one.
    guard let end = name.lastIndex(where: { !isDigit($0) && $0 != 0x2E }) else {
      return String(Substring(name))
    }
    let version = name[name.index(after: end)...]
    let stem = version.first == 0x2E ? version.dropFirst() : version
    guard let cut = stem.firstIndex(of: 0x2E) else { return String(Substring(name)) }
    return String(Substring(name[..<cut]))
  }
}
