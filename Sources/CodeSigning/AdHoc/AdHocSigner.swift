internal import AppBundle

/// Signs an app without a certificate: the signature that `codesign --sign -` makes, for simulators and
/// devices that take such apps.
///
/// Every code object is signed inside out: SHA-256, Info.plist, resources, entitlements as XML and DER. The
/// same app always gets the same bytes, and one that is signed again too. Info.plist and provisioning
/// profiles stay as they are. Files keep their modes and times; but programs get the execute bit where they
/// have none, and folders the time of the main app's Info.plist, since archives may not tell these.
public enum AdHocSigner {
  /// How an app is signed.
  public struct Options: Sendable {
    /// The entitlements that are given for a code object. Nil for those of its present signature, which
    /// frameworks and libraries lose, as in ``SigningPlan``; empty ones for none.
    public var entitlements: @Sendable (_ object: CodeObject, _ isMain: Bool) -> Entitlements? = {
      _, _ in nil
    }
    /// How many threads hash resources.
    public var workers = 1
    /// The bounds to keep.
    public var limits = SigningLimits.standard

    /// One thread, and the entitlements that the app has.
    public init() {}
  }

  /// A code object that was signed.
  public struct Signed: Sendable, Equatable {
    /// As ``CodeObject/path``.
    public let path: String
    /// The identifier of its signature.
    public let identifier: String
    /// The CDHash of each architecture in the file's order, of 20 bytes.
    public let cdHashes: [[UInt8]]
  }

  /// What was done.
  public struct Summary: Sendable, Equatable {
    /// What was signed, in that order; the main app is the last.
    public internal(set) var signed: [Signed] = []
    /// Things that are no error, one line each.
    public internal(set) var notes: [String] = []
  }

  /// Signs the app in a folder, which is changed in place.
  ///
  /// Each file is written anew beside the old one and then takes its name: other hard links keep the old
  /// bytes, and links are not followed. An error may leave the inner code signed and the outer not.
  /// - Parameters:
  ///   - folder: a folder that holds `Payload/`, an `.app` or another form of an app that
  ///     ``AppBundle/Application/open(_:as:limits:)`` takes.
  ///   - options: how it is signed.
  /// - Returns: what was signed.
  /// - Throws: ``SigningError`` with codes `unsupported` (encrypted code, a name that cannot be sealed),
  ///   `malformed` (no room for a signature), `wrongKind`, `missing` where the app has no executable,
  ///   `truncated`, `limit`, `unreadable`, `crypto`, `io`.
  public static func sign(
    folder: String, options: Options = Options()
  ) throws(SigningError) -> Summary {
    let application = try onMembers { () throws(BundleError) in try Application.open(folder) }
    guard application.bundlePath != nil, application.kind != .ipa else {
      throw SigningError(
        .wrongKind, file: folder, detail: "an app in a folder is signed, and this is none")
    }
    var signing = try AppSigning(application, options)
    return try signing.run()
  }
}
