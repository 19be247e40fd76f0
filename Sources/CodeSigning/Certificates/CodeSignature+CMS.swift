extension CodeSignature {
  /// The CMS read and compared with the first CodeDirectory, which it signs; nil for an ad hoc signature.
  ///
  /// Whether the other CodeDirectories are bound to it, ``CodeDirectoryHashes/mismatches(with:)`` of its
  /// signers tells.
  /// - Throws: ``SigningError`` as ``CMSSignature/init(parsing:content:limits:)``.
  public func cmsSignature(
    limits: SigningLimits = .standard
  ) throws(SigningError) -> CMSSignature? {
    guard let cms, let signed = codeDirectories.first else { return nil }
    return try CMSSignature(parsing: cms, content: signed.bytes, limits: limits)
  }
}
