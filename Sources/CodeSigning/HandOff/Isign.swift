internal import PlistKit

/// isign and ak-isign, in Python (https://pypi.org/project/ak-isign).
///
/// It re-seals Info.plist only where it changed a key itself, so one is withheld from it that it puts back.
/// It knows one profile, gives extensions no new CodeResources, removes WatchKit apps, and follows symbolic
/// links when it copies the app.
struct Isign: Signer {
  let name = "isign"
  let variable = "ISIGN"
  let sealsExtensions = false
  let installation = "pip install ak-isign, on Python 3.8"

  /// Texts of Info.plist that it can put back, best first.
  private static let withholdable = [
    "CFBundleInfoDictionaryVersion", "CFBundleDevelopmentRegion", "CFBundleShortVersionString",
    "CFBundleVersion", "CFBundleName", "CFBundleDisplayName", "MinimumOSVersion", "DTSDKName",
  ]

  /// `-i` takes texts alone, and no commas in them.
  func withheld(from infoPlist: PlistDictionary) -> (key: String, value: String)? {
    for key in Self.withholdable {
      guard let value = infoPlist[key]?.string, !value.isEmpty, !value.contains(",") else {
        continue
      }
      return (key, value)
    }
    return nil
  }

  func calls(for job: SigningJob) throws(SigningError) -> [SignerCall] {
    let key = try job.requiredKey(for: self)
    guard let profile = job.main.profile ?? job.request.profiles.first else {
      throw SigningError(
        .missing, detail: "isign needs the provisioning profile", hint: "-m FILE")
    }
    var arguments = ["-k", try job.file("key.pem", key.keyPEM())]
    arguments += ["-c", try job.file("certificate.pem", key.certificatesPEM()), "-p", profile]
    if let withheld = job.withheld { arguments += ["-i", "\(withheld.key)=\(withheld.value)"] }
    if let file = try job.entitlementsForAll() { arguments += ["-e", file] }
    let result = job.app + ".signed"
    arguments += job.request.extraArguments + ["-o", result, job.app]
    return [SignerCall(arguments, result: result)]
  }

  func notes(for job: SigningJob) -> [String] {
    let known = job.noteOnEntitlements(of: name)
    guard job.request.profiles.count > 1 else { return known }
    return known + ["isign takes one profile; the extensions keep those that they have"]
  }

  /// `Not signable: <path>: why`, else the end of a traceback.
  func reason(in lines: [String]) -> String? {
    lines.first { $0.hasPrefix("Not signable:") } ?? lines.last { !$0.hasPrefix(" ") }
  }

  func trap(for kind: HandOffFinding.Kind) -> String? {
    switch kind {
    case .signature:
      "isign seals an Info.plist anew only where it changes it itself (-i KEY=VALUE), and leaves the "
        + "CodeResources of extensions as they were"
    case .plistFormat: "isign writes Info.plist as XML; devices read both"
    case .symbolicLinks:
      "isign follows links when it copies the app: take another signer for this one"
    case .executeBits, .names:
      "isign's own archives lose modes and garble names: let it sign a folder and pack that"
    case .removed: "isign removes WatchKit apps"
    default: nil
    }
  }
}
