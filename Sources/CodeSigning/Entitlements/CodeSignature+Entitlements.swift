extension CodeSignature {
  /// The entitlements, read: the property list counts, as for signers; without one the DER. Nil where there is
  /// neither.
  /// - Throws: ``SigningError`` as ``Entitlements/init(parsing:limits:)`` and ``Entitlements/init(der:limits:)``.
  public func readEntitlements(
    limits: SigningLimits = .standard
  ) throws(SigningError) -> Entitlements? {
    if let entitlements { return try Entitlements(parsing: entitlements, limits: limits) }
    return try derEntitlements.map { der throws(SigningError) in
      try Entitlements(der: der, limits: limits)
    }
  }
}
