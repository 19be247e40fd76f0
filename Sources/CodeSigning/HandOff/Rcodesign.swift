/// rcodesign of apple-codesign (https://github.com/indygreg/apple-platform-rs, `apple-codesign/src/cli`).
///
/// It opens no archives and knows no profiles, so the app is unpacked and each profile lies in place when it
/// is called. Entitlements are given bundle by bundle.
struct Rcodesign: Signer {
  let name = "rcodesign"
  let variable = "RCODESIGN"
  let installation = "cargo install apple-codesign"
  let versionArguments: [String]? = ["--version"]
  let secretOptions: Set = [
    "--p12-password", "--pfx-password", "--smartcard-pin", "--remote-shared-secret",
  ]

  func calls(for job: SigningJob) throws(SigningError) -> [SignerCall] {
    var arguments = ["sign"]
    if let key = job.key {
      // No password goes to it: the key is decrypted, and lies where its owner alone can read it.
      let pem = try key.keyPEM() + key.certificatesPEM()
      arguments += ["--pem-file", try job.file("identity.pem", pem)]
      // A time stamp would be asked for over the network.
      arguments += ["--timestamp-url", "none"]
    }
    for (step, file) in try job.entitlementFiles() {
      arguments += ["--entitlements-xml-file", step.path.isEmpty ? file : "\(step.path):\(file)"]
    }
    return [SignerCall(arguments + job.request.extraArguments + [job.app])]
  }

  func reason(in lines: [String]) -> String? {
    let marks = ["Error: ", "error: "]
    let found = lines.last { line in marks.contains { line.hasPrefix($0) } }
    return found.map { String($0.dropFirst(7)) } ?? lines.last
  }

  func trap(for kind: HandOffFinding.Kind) -> String? {
    kind == .signature ? "rcodesign walks only what has an Info.plist with an identifier" : nil
  }
}
