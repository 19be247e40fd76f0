package import PlistKit
internal import Processes

/// A program that signs apps: how it is found, called and understood.
///
/// Each gets the app as a folder that is ours, and signs it there or beside it. Packing is not left to it, for
/// what signers lose on the way into an archive: execute bits, symbolic links, names.
package protocol Signer: Sendable {
  /// What it is called, here and in `PATH`.
  var name: String { get }
  /// The environment variable that names its file.
  var variable: String { get }
  /// How to get it, in one line.
  var installation: String { get }
  /// What makes it print its version, nil where nothing does.
  var versionArguments: [String]? { get }
  /// Whether it signs with a key that is given to it, and not with one of a keychain.
  var takesKey: Bool { get }
  /// Whether it seals extensions anew, so that a profile can be put into them.
  var sealsExtensions: Bool { get }
  /// Options of its own whose values are passwords.
  var secretOptions: Set<String> { get }

  /// The runs that sign an app, in their order.
  /// - Throws: ``SigningError`` with codes `missing`, `unsupported`, and those of reading a key.
  func calls(for job: SigningJob) throws(SigningError) -> [SignerCall]
  /// A text of the main app's Info.plist that is taken out of the copy before, for a signer that seals that
  /// file anew only where it puts something in itself; nil where nothing needs to be.
  func withheld(from infoPlist: PlistDictionary) -> (key: String, value: String)?
  /// What a person should know of how it signs a job.
  func notes(for job: SigningJob) -> [String]
  /// What it says that went wrong, in lines without escape sequences.
  func reason(in lines: [String]) -> String?
  /// What it is known to do that shows as a finding, and how to get around it.
  func trap(for kind: HandOffFinding.Kind) -> String?
  /// The same for a rule of `verify` that what it signed breaks.
  func trap(for rule: SigningRule) -> String?
}

extension Signer {
  package var versionArguments: [String]? { nil }
  package var takesKey: Bool { true }
  package var sealsExtensions: Bool { true }
  package var secretOptions: Set<String> { [] }
  package func withheld(from infoPlist: PlistDictionary) -> (key: String, value: String)? { nil }
  package func notes(for job: SigningJob) -> [String] { [] }
  package func reason(in lines: [String]) -> String? { lines.last }
  package func trap(for kind: HandOffFinding.Kind) -> String? { nil }
  package func trap(for rule: SigningRule) -> String? { trap(for: HandOffFinding.Kind.signature) }
}

/// The signers that are known by name.
package enum Signers {
  package static let all: [any Signer] = [Codesign(), Rcodesign(), Zsign(), Isign()]

  package static func named(_ name: String) -> (any Signer)? { all.first { $0.name == name } }
}

/// One run of a signer.
package struct SignerCall: Sendable {
  package var arguments: [String]
  /// Environment variables beside those of this process, as `NAME=value`.
  package var variables: [String] = []
  /// Where the signed app lies afterwards; nil where it was signed in place.
  package var result: String?

  package init(_ arguments: [String], variables: [String] = [], result: String? = nil) {
    self.arguments = arguments
    self.variables = variables
    self.result = result
  }
}

/// One thing that is signed.
package struct SigningStep: Sendable {
  /// From the main app's folder; empty for that app.
  package var path: String
  package var bundleIdentifier: String?
  /// The file of the profile that goes into it, nil where it takes none or has its own.
  package var profile: String?
  /// Where the profile goes, from the main app's folder.
  package var profilePlace: String?
  /// What it is to be signed with, as a property list in XML; nil to leave that to the signer.
  package var entitlements: [UInt8]?

  package init(
    path: String, bundleIdentifier: String? = nil, profile: String? = nil,
    profilePlace: String? = nil, entitlements: [UInt8]? = nil
  ) {
    self.path = path
    self.bundleIdentifier = bundleIdentifier
    self.profile = profile
    self.profilePlace = profilePlace
    self.entitlements = entitlements
  }
}

/// An app that is ready to be signed.
package struct SigningJob {
  /// The app's folder, an absolute path; it is ours.
  package var app: String
  /// What is signed, inside out; the app is the last.
  package var steps: [SigningStep]
  package var request: SignerRequest
  /// The key, nil where the request has none.
  package var key: SigningKey?
  /// A key of Info.plist that was taken out of the copy, with its text, for a signer that must put it back.
  package var withheld: (key: String, value: String)?
  /// Writes a file for its owner alone, which is gone afterwards, and returns its path.
  package var file: (_ name: String, _ bytes: [UInt8]) throws(SigningError) -> String

  /// The app itself.
  package var main: SigningStep { steps.last ?? SigningStep(path: "") }

  /// The path of a step on this machine.
  package func path(of step: SigningStep) -> String {
    step.path.isEmpty ? app : "\(app)/\(step.path)"
  }

  /// The key, for a signer that needs one.
  /// - Throws: ``SigningError`` with code `missing`.
  package func requiredKey(for signer: some Signer) throws(SigningError) -> SigningKey {
    if let key { return key }
    throw SigningError(
      .missing, detail: "\(signer.name) needs a key with its certificate",
      hint: "--p12 FILE, or --key FILE with --certificate FILE")
  }

  /// The entitlements for a signer that gives one set of them to the app and to all extensions in it:
  /// those of the app where nothing else takes any or where somebody gave them, else nil, which leaves
  /// them to the profiles.
  package func entitlementsForAll() throws(SigningError) -> String? {
    guard let bytes = main.entitlements,
      request.givesEntitlements || !steps.dropLast().contains(where: { $0.entitlements != nil })
    else { return nil }
    return try file("entitlements.plist", bytes)
  }

  /// What a person should know of ``entitlementsForAll()``.
  package func noteOnEntitlements(of signer: String) -> [String] {
    guard steps.dropLast().contains(where: { $0.entitlements != nil }) else { return [] }
    return [
      request.givesEntitlements
        ? "\(signer) gives the app's entitlements to its extensions too"
        : "\(signer) takes all that the profiles grant, since it knows one file of entitlements for all bundles"
    ]
  }

  /// The files of entitlements of all steps that have some, written down.
  package func entitlementFiles() throws(SigningError) -> [(step: SigningStep, path: String)] {
    var files: [(step: SigningStep, path: String)] = []
    for (index, step) in steps.enumerated() {
      guard let bytes = step.entitlements else { continue }
      files.append((step, try file("entitlements-\(index).plist", bytes)))
    }
    return files
  }
}

extension Signers {
  /// The file that a name is: a path with a slash, else the first program of that name in the folders of
  /// a `PATH`. The path is absolute.
  package static func find(_ name: String, in path: String) -> String? {
    ExternalCommand.find(name, in: path).map(SigningRoom.absolute)
  }

  /// The version of a signer, nil where it does not tell.
  package static func version(of signer: any Signer, at path: String) -> String? {
    signer.versionArguments.flatMap { SignerRun.version(of: path, $0) }
  }
}
