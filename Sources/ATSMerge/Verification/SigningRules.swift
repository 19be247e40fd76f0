extension RuleTable {
  /// The rules on executables, signatures, profiles and entitlements.
  ///
  /// Whoever reads code and profiles judges them; what a rule of these finds stands in
  /// ``VerificationSubject/Signing``.
  static let signingRules: [Rule] = [
    signing(
      "executable.uuid", .warning, "no LC_UUID in the main executable, or a shared one",
      help: """
        The system keeps the local-network permission by the main executable's LC_UUID. Where it is \
        missing, or two apps share it, the permission may be asked for again or be another app's. \
        Link without -no_uuid.
        """, examples: .executableUUID, for: [.verify, .plan]),
    signing(
      "executable.encrypted", .error, "an executable that is still encrypted",
      help: """
        An executable from the App Store has LC_ENCRYPTION_INFO with a cryptid other than 0: no signer \
        can make it run elsewhere. Take a build of your own.
        """, examples: .executableEncrypted, for: [.plan]),
    signing(
      "signature.missing", .error, "an app without a code signature",
      help: "A device runs signed code alone. Asked for by --signed, as after the signer.",
      examples: .signatureMissing, for: [.verify], needs: .signature),
    signing(
      "signature.info-plist", .error, "a signature over another Info.plist",
      help: """
        The CodeDirectory holds a hash of Info.plist. Where the slot is empty, or the file was edited \
        after signing, a device refuses the app. Sign after 'ipa-inject inject'.
        """, examples: .signatureInfoPlist, for: [.verify]),
    signing(
      "signature.resources", .error, "a resource that is not as it was sealed",
      help: """
        CodeResources lists each file with its hash. A file that was changed, that is missing, or that \
        came later breaks the seal. Sign again.
        """, examples: .signatureResources, for: [.verify]),
    signing(
      "signature.code", .error,
      "code, entitlements or a certificate that are not as they were signed",
      help: """
        The CodeDirectory holds a hash of each page of the executable, of its requirements and of its \
        entitlements, and the certificate's signature covers the CodeDirectory. Where one is wrong, the \
        system refuses the app, or ends it when it gets there. Sign again.
        """, examples: .signatureCode, for: [.verify]),
    signing(
      "profile.missing", .error, "an app or extension without a provisioning profile",
      help: """
        Each app and extension needs a profile of its own, or one that covers it by a wildcard, where \
        any is given or embedded.
        """, examples: .profileMissing, for: [.plan]),
    signing(
      "profile.unreadable", .error, "a provisioning profile that cannot be read",
      help: "A profile is a property list in CMS SignedData. Download it anew.",
      examples: .profileUnreadable, for: [.plan]),
    signing(
      "profile.expired", .error, "a provisioning profile that has expired",
      help: "A device refuses to start the app from that day on. Renew the profile and sign again.",
      examples: .profileExpired, for: [.plan]),
    signing(
      "profile.expires-soon", .warning, "a provisioning profile that expires soon",
      help: "It expires within 30 days. Renew it before the app stops to start.",
      examples: .profileExpiresSoon, for: [.plan]),
    signing(
      "profile.application-identifier", .error, "a profile for another identifier",
      help: """
        The profile's application identifier is the team, a dot and the bundle's identifier, or a \
        wildcard of whole labels: TEAM.*, TEAM.com.example.*.
        """, examples: .profileApplicationIdentifier, for: [.plan]),
    signing(
      "profile.platform", .error, "a profile for another platform",
      help: "The profile's Platform names the systems that it is for: iOS, tvOS, OSX.",
      examples: .profilePlatform, for: [.plan]),
    signing(
      "profile.certificate", .error, "a signing certificate that the profile does not hold",
      help: "A profile lists the certificates that may sign with it. Add yours to it, or sign with "
        + "one of them.", examples: .profileCertificate, for: [.plan]),
    signing(
      "profile.team", .error, "profiles or signatures of different teams",
      help: "An app and what is nested in it are signed by one team.", examples: .profileTeam,
      for: [.plan]),
    signing(
      "entitlements.not-in-profile", .error, "an entitlement that the profile does not give",
      help: """
        Each entitlement of the signature must stand in the profile with a value that covers it; a \
        device refuses the app for one that does not.
        """, examples: .entitlementsNotInProfile, for: [.plan]),
  ]

  /// A rule that tells what was found by whoever looked at the code.
  private static func signing(
    _ id: String, _ level: FindingLevel, _ summary: String, help: String, examples: RuleExamples,
    for tasks: Set<VerificationTask>, needs need: Rule.Need = .code
  ) -> Rule {
    Rule(id, level, summary, help: help, examples: examples, for: tasks, needs: need) { facts in
      (facts.subject.signing?.problems ?? []).filter { $0.rule == id }.map {
        Observation($0.message, file: $0.file, at: $0.path, level: $0.level)
      }
    }
  }
}
