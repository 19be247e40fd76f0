extension MachOSlice {
  /// The Info.plist that a file of code by itself carries in the section `__TEXT,__info_plist`, nil without
  /// one.
  /// - Throws: ``SigningError`` with codes `limit` beyond ``SigningLimits/profileBytes``, `truncated`,
  ///   `unreadable`, `io`.
  func embeddedInfoPlist(
    of file: any ByteSource, limits: SigningLimits
  ) throws(SigningError) -> [UInt8]? {
    let section = segments.lazy.flatMap(\.sections)
      .first { $0.segmentName == "__TEXT" && $0.name == "__info_plist" }
    guard let section, section.hasBytes else { return nil }
    guard section.size <= UInt64(limits.profileBytes) else {
      throw SigningError(
        .limit, offset: range.lowerBound + section.fileOffset,
        detail:
          "__info_plist has \(section.size) bytes, and at most \(limits.profileBytes) are read")
    }
    return try bytes(of: file).bytes(at: section.fileOffset, count: Int(section.size))
  }
}
