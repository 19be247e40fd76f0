internal import AppBundle
internal import NetDiscovery
internal import Synchronization

/// Saves the listener that an app was prepared for where the server reads it, so that the server
/// listens there when it starts.
///
/// The file is read and judged before anything is written, and edited just before the output gets its
/// name: where that edit fails there is no output, and where the output cannot take its name the file
/// is put back. A process that is killed between those two steps leaves saved settings without an
/// app, which harm nothing; the other order would leave an app whose server listens elsewhere.
final class ListenerSaving: Companion {
  let path: String
  /// Whether the file was changed.
  private(set) var hasWritten = false
  private let listener: Listener
  private let file: SettingsFile
  private var isPublished = false
  /// The apps of this process that were prepared for what a file holds. A batch has one file for many:
  /// what one app saved and another one counts on must not go where the first cannot be made.
  private static let apps = Mutex<[String: Int]>([:])

  /// Reads the file, and sees to it that it can be edited where it has to be, and is none of the files
  /// that are written beside it.
  init(_ listener: Listener, at path: String, besides others: [String]) throws(Failure) {
    self.path = path
    self.listener = listener
    file = SettingsFile(path, limit: DiscoveryLimits().maxBytes)
    let before: [UInt8]?
    let after: [UInt8]
    do throws(BundleError) {
      try file.checkIsNone(of: others)
      before = try file.contents()
    } catch { throw Failure(error, file: path) }
    do throws(DiscoveryError) { after = try Self.document(before, listener) } catch {
      throw Failure(error, file: path)
    }
    guard after != before else { return }
    do throws(BundleError) { try file.checkWritable() } catch { throw Failure(error, file: path) }
  }

  var wantsBytes: Bool { false }
  func read(_ block: ArraySlice<UInt8>) {}

  func willName() throws(BundleError) {
    hasWritten = try Self.apps.withLock { apps throws(BundleError) in
      let hasWritten = try file.publish { [listener, path] before throws(BundleError) in
        do throws(DiscoveryError) { return try Self.document(before, listener) } catch {
          throw BundleError(
            .inputChanged, detail: "\(path) was changed meanwhile: \(error.detail)")
        }
      }
      apps[path, default: 0] += 1
      return hasWritten
    }
    isPublished = true
  }

  func publishUnlessPublished() throws(Failure) {
    guard !isPublished else { return }
    do throws(BundleError) { try willName() } catch { throw Failure(error, file: path) }
  }

  func withdraw() {
    guard isPublished else { return }
    isPublished = false
    Self.apps.withLock { apps in
      let others = (apps[path] ?? 1) - 1
      apps[path] = others
      if others == 0 { file.withdraw() }
    }
  }

  /// The port is always saved; the host where an option names one: what is saved already stays, and
  /// without any the server listens on all addresses anyway.
  private static func document(
    _ json: [UInt8]?, _ listener: Listener
  ) throws(DiscoveryError) -> [UInt8] {
    try SavedListener.document(
      json, host: listener.hostFrom == .option ? listener.bind : nil, port: listener.port)
  }
}
