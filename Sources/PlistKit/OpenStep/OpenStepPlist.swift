/// The OpenStep text codec.
enum OpenStepPlist {
  static func parse(_ bytes: [UInt8], limits: ParseLimits) throws(PlistError) -> ParsedPlist {
    throw PlistError(.unknownFormat, detail: "not yet read")
  }
}
