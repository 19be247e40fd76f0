/// codesign of macOS (`codesign(1)`), called once for each thing inside out.
struct Codesign: Signer {
  let name = "codesign"
  let variable = "CODESIGN"
  let takesKey = false

  let installation =
    "it is part of macOS (xcode-select --install); elsewhere take rcodesign, zsign or isign"

  func calls(for job: SigningJob) throws(SigningError) -> [SignerCall] {
    guard let identity = job.request.identity else {
      throw SigningError(
        .missing, detail: "codesign needs the name of an identity in a keychain",
        hint: "--identity NAME; 'security find-identity -v -p codesigning' lists them")
    }
    let files = try job.entitlementFiles()
    return job.steps.map { step in
      // A time stamp would be asked for over the network, and devices want none.
      var arguments = [
        "--force", "--sign", identity, "--timestamp=none", "--generate-entitlement-der",
      ]
      if let file = files.first(where: { $0.step.path == step.path }) {
        arguments += ["--entitlements", file.path]
      }
      return SignerCall(arguments + job.request.extraArguments + [job.path(of: step)])
    }
  }

  /// `PATH: why`, the last of them.
  func reason(in lines: [String]) -> String? { lines.last { $0.contains(": ") } ?? lines.last }
}
