extension Application {
  /// Opens any file as a property list by itself, whatever it holds.
  ///
  /// ``open(_:app:limits:)`` tells property lists from other files by their beginning, and does not
  /// know those that could as well be any text: `.strings` files, and JSON that is to become one.
  /// - Throws: ``BundleError`` with codes `notFound`, `unreadable`, `notAFile`, `io`.
  public static func openPropertyList(
    _ path: String, limits: ArchiveLimits = .standard
  ) throws(BundleError) -> Application {
    Application(propertyList: try inputFile(path), path: path, limits: limits)
  }

  /// The application with another member in the place of its Info.plist, which ``infoPlist()`` then
  /// reads and ``commit(_:to:options:observer:)`` exchanges.
  ///
  /// Checked as for Info.plist itself: it is one regular file that no other member could be taken for.
  /// - Parameter member: as ``Member/path`` shows it.
  /// - Returns: an application whose other members are the same.
  /// - Throws: ``BundleError`` with codes `noMember`, `notAFile`, `duplicateMember`, `overlapping`,
  ///   `io`.
  public func editing(_ member: String) throws(BundleError) -> Application {
    guard let table, let names else {
      throw BundleError(
        .noMember, detail: "it is a property list by itself, with no members to choose from")
    }
    let index = try names.index(of: member)
    guard table.kind(index) == .file else {
      throw BundleError(.notAFile, member: member, detail: "it is no regular file")
    }
    guard names.indices(Array(table.name(index))).count == 1 else {
      throw BundleError(
        .duplicateMember, member: member, detail: "another member could be taken for it")
    }
    if case .archive(let archive) = source {
      try archive.checkOtherNames(of: index)
      try archive.checkReach(over: index)
    }
    var application = self
    application.infoPlistIndex = index
    application.infoPlistPath = table.display(index)
    return application
  }
}
