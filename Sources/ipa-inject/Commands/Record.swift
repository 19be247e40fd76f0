internal import ATSMerge
internal import AppBundle

/// The file of `--record`: what an update server needs to know of an installation. It holds the
/// update URLs and the installation ID whole, and only its owner may read it.
struct Record {
  private let path: String
  private let output: String
  private let members: [String: JSONValue]
  private let file: SideFile

  /// Writes the file with all but the output's hash, still without a name: so a place where it cannot
  /// go stops the work before an app is written whose ID nobody would know.
  init(
    at path: String, replacing: Bool, of loaded: LoadedApp, _ injection: Injection,
    output: OutputOptions
  ) throws(Failure) {
    guard !path.isEmpty else { throw Failure.usage(UsageError("--record is empty")) }
    self.path = path
    self.output = output.resultPath(of: loaded) ?? loaded.path
    members = [
      "schema": "ipa-inject/record/1",
      "installationID": .optional(injection.urls.first?.installationID.revealed),
      "bundleIdentifier": .optional(loaded.text("CFBundleIdentifier")),
      "version": .optional(loaded.text("CFBundleShortVersionString")),
      "build": .optional(loaded.text("CFBundleVersion")),
      "source": .string(injection.source.description),
      "filter": .optional(injection.filter),
      "team": .optional(injection.team),
      "release": .optional(injection.release?.rawValue),
      "updateURL": .strings(injection.urls.map(\.revealed)),
    ]
    do throws(BundleError) {
      file = try SideFile(path, replace: replacing, otherThan: [loaded.path, self.output])
      try file.reserve(bytes(sha256: String(repeating: "0", count: 64)))
    } catch { throw Failure(error, file: path) }
  }

  /// Puts in the hash of the archive that was written, and gives the file its name.
  func publish() throws(Failure) {
    let hash = try FileDigest.sha256(output)
    do throws(BundleError) {
      try file.publish(bytes(sha256: hash), permissions: 0o600)
    } catch { throw Failure(error, file: path) }
  }

  private func bytes(sha256: String?) -> [UInt8] {
    let hash: [String: JSONValue] = ["sha256": .optional(sha256)]
    return Array(JSONValue.object(members.merging(hash) { $1 }).encoded().utf8)
  }
}
