/// zsign, on Linux, macOS and Windows (https://github.com/zhlynn/zsign, `src/zsign.cpp`).
///
/// It writes Info.plist as XML whatever it was, and drops the execute bit of what it signs. Of several profiles
/// it picks by the end of the identifier and knows no wildcards. It needs the chain in the PKCS #12 file where
/// the issuer is none of Apple's.
struct Zsign: Signer {
  let name = "zsign"
  let variable = "ZSIGN"
  let installation = "build https://github.com/zhlynn/zsign and put zsign into PATH"
  let versionArguments: [String]? = ["-v"]
  let secretOptions: Set = ["-p", "--password"]

  func calls(for job: SigningJob) throws(SigningError) -> [SignerCall] {
    // Without -f it takes hashes of an earlier signing from its cache, that of the old Info.plist too.
    var arguments = ["-f"]
    let isAdHoc = job.request.extraArguments.contains { ["-a", "--adhoc"].contains($0) }
    if !isAdHoc {
      // The file has an empty password, for zsign takes one on its command line alone.
      arguments += ["-k", try job.file("identity.p12", try job.requiredKey(for: self).p12())]
      for profile in job.request.profiles { arguments += ["-m", profile] }
    }
    if let file = try job.entitlementsForAll() { arguments += ["-e", file] }
    return [SignerCall(arguments + job.request.extraArguments + [job.app])]
  }

  func notes(for job: SigningJob) -> [String] { job.noteOnEntitlements(of: name) }

  /// `>>> Unknown issuer hash 0x…!` is told before `>>> Signed Failed!`.
  func reason(in lines: [String]) -> String? {
    let said = lines.map { $0.hasPrefix(">>> ") ? String($0.dropFirst(4)) : $0 }
    let words = ["invalid", "can't", "unknown", "not found", "error", "failed"]
    return said.first { line in words.contains { line.lowercased().contains($0) } } ?? said.last
  }

  func trap(for kind: HandOffFinding.Kind) -> String? {
    switch kind {
    case .plistFormat: "zsign writes Info.plist as XML; devices read both"
    case .symbolicLinks, .executeBits, .names:
      "zsign's own archives hold no links, modes and UTF-8 flags: let it sign a folder and pack that"
    case .size: "zsign's own archives are not compressed, unless it is told -z 6"
    case .identifier: "zsign changes it with -b"
    default: nil
    }
  }

  func trap(for rule: SigningRule) -> String? {
    switch rule {
    case .signatureInfoPlist: "zsign without -f takes hashes from its cache: sign again with -f"
    case .signatureResources:
      "zsign seals a symbolic link as the file that it leads to, which devices refuse: put a copy of "
        + "that file in its place, or take another signer"
    default: nil
    }
  }
}
