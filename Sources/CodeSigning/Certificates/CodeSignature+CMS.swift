extension CodeSignature {
  /// The CMS read and compared with the first CodeDirectory, which it signs; nil for an ad hoc signature.
  ///
  /// Whether the other CodeDirectories are bound to it, ``CodeDirectoryHashes/mismatches(with:)`` of its
  /// signers tells.
  /// - Throws: ``SigningError`` as ``CMSSignature/init(parsing:content:limits:)``.
  public func cmsSignature(
    limits: SigningLimits = .standard
  ) throws(SigningError) -> CMSSignature? {
    guard let cms else { return nil }
    let signed = codeDirectories.first { $0.slot == .codeDirectory }
    return try CMSSignature(parsing: cms, content: signed?.bytes, limits: limits)
  }
}
