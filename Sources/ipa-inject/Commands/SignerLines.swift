internal import ATSMerge
internal import AppBundle
internal import CodeSigning
internal import PlistKit

/// How signers are called for a plan, ready to be copied. In capitals stands what only a person knows.
struct SignerLines: Sendable {
  private let report: PlanReport

  init(_ report: PlanReport) { self.report = report }

  /// The folder that an archive is unpacked into, where a signer takes none.
  private static let folder = "Unpacked"

  var lines: [String] {
    let profiles = report.plan.profiles
    guard !profiles.isEmpty else {
      return [
        "ipa-inject sign \(input) -o Signed.ipa --signer adhoc",
        "  without a profile there is an ad hoc signature alone, which simulators take",
      ]
    }
    return sign(profiles) + unpacking + zsign(profiles) + isign(profiles) + rcodesign + codesign
  }

  private var isArchive: Bool { report.loaded.application.kind == .ipa }

  private var input: String { Self.quoted(report.loaded.path) }

  /// Embedded profiles are files only where the app is unpacked.
  private var needsFolder: Bool {
    isArchive && report.plan.profiles.contains { !$0.isGiven }
  }

  private var unpacking: [String] {
    needsFolder ? ["ipa-inject unpack \(input) -o \(Self.folder)"] : []
  }

  private func file(_ planned: PlannedProfile) -> String {
    if planned.isGiven { return Self.quoted(planned.file) }
    return Self.quoted(CodeObject.join(isArchive ? Self.folder : report.loaded.path, planned.file))
  }

  /// The call of this program, with what the plan was given. A signer is not known to find embedded profiles.
  private func sign(_ profiles: [PlannedProfile]) -> [String] {
    guard profiles.allSatisfy(\.isGiven) else { return [] }
    func word(_ option: String, _ identifier: String?, _ file: String) -> String {
      " \(option) " + Self.quoted(identifier.map { "\($0)=\(file)" } ?? file)
    }
    let request = report.request
    let given =
      request.profiles.prefix(20).map { word("-m", $0.bundleIdentifier, $0.file) }
      + request.entitlements.prefix(20).map { word("-e", $0.bundleIdentifier, $0.file) }
    return [
      "ipa-inject sign \(input) -o Signed.ipa --signer zsign --p12 KEY.p12 --password-file PASSWORD"
        + given.joined()
    ]
  }

  private func zsign(_ profiles: [PlannedProfile]) -> [String] {
    let options = profiles.prefix(20).map { " -m \(file($0))" }.joined()
    return [
      "zsign -f -k KEY.p12 -p PASSWORD\(options) -z 6 -o Signed.ipa \(input)"
    ]
  }

  /// isign takes one profile, and seals an Info.plist that it changed itself: a value that is there already
  /// is the least change.
  private func isign(_ profiles: [PlannedProfile]) -> [String] {
    guard profiles.count == 1, report.plan.platforms.allSatisfy({ $0 == .iOS }) else { return [] }
    let version = report.loaded.text("CFBundleVersion") ?? "1"
    return [
      "isign -k KEY.pem -c CERTIFICATE.pem -p \(file(profiles[0])) "
        + "-i \(Self.quoted("CFBundleVersion=\(version.cut(to: 40))")) -o Signed.ipa \(input)"
    ]
  }

  private var appFolder: String {
    let path = report.plan.main?.object.path ?? "."
    let root = isArchive ? Self.folder : report.loaded.path
    return path == "." ? root : CodeObject.join(root, path)
  }

  /// rcodesign signs an unpacked app with all that is in it; entitlements go by the path in the app.
  private var rcodesign: [String] {
    let main = report.plan.main?.object.path ?? "."
    var options = ""
    for step in report.plan.steps.reversed() where step.object.takesProfile {
      guard step.entitlements?.isEmpty == false, !step.keepsSignature else { continue }
      let inner =
        step.object.path == main
        ? "" : String(step.object.path.dropFirst(main == "." ? 0 : main.count + 1)) + ":"
      options += " --entitlements-xml-file \(Self.quoted("\(inner)\(step.order).plist"))"
    }
    return [
      "rcodesign sign --p12-file KEY.p12 --p12-password-file PASSWORD\(options.cut(to: 1000)) "
        + Self.quoted(appFolder),
      "  N.plist holds entitlementsXML of step N (--plan-out); profiles go to profilePath first",
    ]
  }

  private var codesign: [String] {
    [
      "codesign -f -s IDENTITY -i IDENTIFIER [--entitlements N.plist --generate-entitlement-der] PATH",
      "  for each step in its order",
    ]
  }

  private static func quoted(_ text: String) -> String { ShellTemplate.quoted(text.printable) }
}
