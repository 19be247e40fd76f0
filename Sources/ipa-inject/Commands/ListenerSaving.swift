internal import AppBundle
internal import NetDiscovery

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

  /// Reads the file, and sees to it that it can be edited where it has to be.
  init(_ listener: Listener, at path: String) throws(Failure) {
    self.path = path
    self.listener = listener
    file = SettingsFile(path, limit: DiscoveryLimits().maxBytes)
    let before: [UInt8]?
    let after: [UInt8]
    do throws(BundleError) { before = try file.contents() } catch {
      throw Failure(error, file: path)
    }
    do throws(DiscoveryError) { after = try Self.document(before, listener) } catch {
      throw Failure(error, file: path)
    }
    guard after != before else { return }
    do throws(BundleError) { try file.checkWritable() } catch { throw Failure(error, file: path) }
  }

  var wantsBytes: Bool { false }
  func read(_ block: ArraySlice<UInt8>) {}

  func willName() throws(BundleError) {
    isPublished = true
    hasWritten = try file.publish { [listener, path] before throws(BundleError) in
      do throws(DiscoveryError) { return try Self.document(before, listener) } catch {
        throw BundleError(.inputChanged, detail: "\(path) was changed meanwhile: \(error.detail)")
      }
    }
  }

  func publishUnlessPublished() throws(Failure) {
    guard !isPublished else { return }
    do throws(BundleError) { try willName() } catch { throw Failure(error, file: path) }
  }

  func withdraw() { file.withdraw() }

  /// The port is always saved; the host where an option names one: what is saved already stays, and
  /// without any the server listens on all addresses anyway.
  private static func document(
    _ json: [UInt8]?, _ listener: Listener
  ) throws(DiscoveryError) -> [UInt8] {
    try SavedListener.document(
      json, host: listener.hostFrom == .option ? listener.bind : nil, port: listener.port)
  }
}
