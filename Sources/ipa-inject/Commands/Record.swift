internal import ATSMerge
internal import AppBundle

/// The file of `--record`: what an update server needs to know of an installation. It holds the
/// update URLs and the installation ID whole, and only its owner may read it.
///
/// It is written before the output, gets the output's hash and its own name just before the output gets
/// its name, and goes again where that fails: there is no app whose ID nobody knows.
final class Record: Companion {
  private let path: String
  private let output: String
  private let members: [String: JSONValue]
  private let file: SideFile
  private let digest: FileDigest
  private var isPublished = false

  /// Writes the file with all but the output's hash, still without a name.
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
      try file.reserve(Self.bytes(members, sha256: String(repeating: "0", count: 64)))
    } catch { throw Failure(error, file: path) }
  }

  func read(_ block: ArraySlice<UInt8>) { digest.update(block) }

  func willName() throws(BundleError) {
    let hash = digest.isEmpty ? nil : digest.finish()
    try file.publish(Self.bytes(members, sha256: hash), permissions: 0o600)
    isPublished = true
  }

  /// Takes the file away again, because the output could not be made.
  func withdraw() { file.withdraw() }

  /// Writes the file where the output stays as it is, with that one's hash.
  func publishUnlessPublished() throws(Failure) {
    guard !isPublished else { return }
    _ = try digest.update(fileAt: output)
    do throws(BundleError) { try willName() } catch { throw Failure(error, file: path) }
  }

  private static func bytes(_ members: [String: JSONValue], sha256: String?) -> [UInt8] {
    let hash: [String: JSONValue] = ["sha256": .optional(sha256)]
    let all = members.merging(hash) { $1 }.map { ($0.key, $0.value) }
    return Array(JSONValue.object(all).encoded().utf8)
  }
}
