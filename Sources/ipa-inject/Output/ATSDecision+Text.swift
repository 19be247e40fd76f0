internal import ATSMerge

extension ATSCertainty {
  /// What an answer rests on, where it is not on Apple's words; without capital and full stop.
  var remark: String? {
    switch self {
    case .documented: nil
    case .observed: "Apple does not say so; it is what people measured on devices"
    case .assumed: "Apple does not say so; it is the likely reading of what Apple says"
    }
  }
}

extension ATSRequirements {
  /// What a connection must meet, without capital and full stop.
  var sentence: String {
    let version = minimumTLSVersion.replacing("TLSv", with: "TLS ")
    return "it needs "
      + [
        "\(version) or later", forwardSecrecy ? "forward secrecy" : nil,
        certificateTransparency ? "a certificate in public logs" : nil,
        pinned ? "a pinned key" : nil,
      ].compactMap(\.self).joined(separator: ", ")
  }
}
