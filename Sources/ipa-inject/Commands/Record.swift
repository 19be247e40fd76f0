internal import ATSMerge
internal import AppBundle

/// The file of `--record`: what an update server needs to know of an installation. It holds the
/// update URLs and the installation ID whole, and only its owner may read it.
struct Record {
  private let path: String
  private let output: String
  private let members: [String: JSONValue]
  private let file: SideFile
  private let digest: FileDigest

  /// Writes the file with all but the output's hash, still without a name: so a place where it cannot
  /// go stops the work before an app is written whose ID nobody would know.
  init(
    at path: String, replacing: Bool, of loaded: LoadedApp, _ injection: Injection,
    output: OutputOptions
  ) throws(Failure) {
    guard !path.isEmpty else { throw Failure.usage(UsageError("--record is empty")) }
    guard let digest = FileDigest() else {
      throw Failure(code: "memory", status: .defect, message: "libcrypto gives no hash")
    }
    self.digest = digest
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

  /// Takes in the output's bytes as they are about to get their name.
  func update(_ bytes: ArraySlice<UInt8>) { digest.update(bytes) }

  /// Gives the file its name, with the hash of the archive that was written, or of the one that stays
  /// as it is.
  func publish() throws(Failure) {
    let isFile = digest.isEmpty ? try digest.update(fileAt: output) : true
    let hash = isFile ? digest.finish() : nil
    do throws(BundleError) {
      try file.publish(bytes(sha256: hash), permissions: 0o600)
    } catch { throw Failure(error, file: path) }
  }

  private func bytes(sha256: String?) -> [UInt8] {
    let hash: [String: JSONValue] = ["sha256": .optional(sha256)]
    return Array(JSONValue.object(members.merging(hash) { $1 }).encoded().utf8)
  }
}
