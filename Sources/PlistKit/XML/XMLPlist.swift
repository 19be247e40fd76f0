/// The XMLPlist codec.
enum XMLPlist {
  static func parse(
    _ bytes: [UInt8], limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> ParsedPlist {
    throw PlistError(.unknownFormat, detail: "not yet read")
  }

  static func serialize(_ value: PlistValue) throws(PlistError) -> [UInt8] {
    throw PlistError(.unrepresentable, detail: "not yet written")
  }
}
