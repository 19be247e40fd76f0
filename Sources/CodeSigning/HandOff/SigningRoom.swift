internal import AppBundle
internal import PlistKit

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The private folder in which an app is signed, and what lies in it.
struct SigningRoom {
  /// An unpacked app: the folder around it, and its own.
  struct Copy {
    let folder: String
    let app: String
  }

  private let folder: PrivateFolder
  private let application: Application
  let request: SignerRequest
  let secrets: [String]
  /// Where signers work and put what they do not need any more.
  let scratch: String
  /// Absolute, for a signer works elsewhere.
  private let root: String

  init(
    _ folder: PrivateFolder, _ application: Application, _ request: SignerRequest,
    secrets: [String]
  ) throws(HandOff.Failure) {
    self.folder = folder
    self.application = application
    self.secrets = secrets
    root = Self.absolute(folder.path)
    scratch = Self.absolute(
      try caught { () throws(BundleError) in try folder.makeFolder("scratch") })
    var request = request
    request.profiles = request.profiles.map(Self.absolute)
    // What names a file from here must do so from there too.
    request.extraArguments = request.extraArguments.map {
      $0.contains("/") && access($0, F_OK) == 0 ? Self.absolute($0) : $0
    }
    self.request = request
  }

  /// The path from the root of this machine.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard let current = getcwd(&buffer, buffer.count) else { return path }
    return String(cString: current) + "/" + path
  }

  /// Steps whose files can be found from anywhere.
  func absolute(_ steps: [SigningStep]) -> [SigningStep] {
    steps.map { step in
      var step = step
      step.profile = step.profile.map(Self.absolute)
      return step
    }
  }

  /// The path from the private folder.
  func relative(_ path: String) -> String { String(path.dropFirst(root.count + 1)) }

  /// The name of the main app's folder.
  var applicationName: String {
    let path =
      application.kind == .app ? Self.realPath(application.path) : application.bundlePath ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? "App"
    return name.hasSuffix(".app") ? name : name + ".app"
  }

  private static func realPath(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  /// The permissions of an output that is a file: those of the input, where it is one.
  var permissions: UInt16 {
    var status = stat()
    guard application.kind == .ipa, stat(application.path, &status) == 0 else { return 0o644 }
    return UInt16(truncatingIfNeeded: status.st_mode & 0o777)
  }

  // MARK: - Copies

  /// A copy of the app as a folder, with another Info.plist where one is given. An app by itself lies under
  /// `Payload/`, as signers look for it.
  func unpacked(
    infoPlist: [UInt8]? = nil, observer: (any CommitObserver)?
  ) throws(BundleError) -> Copy {
    let bytes: [UInt8]
    if let infoPlist { bytes = infoPlist } else { bytes = try application.infoPlist() }
    var options = CommitOptions(synchronize: false, modificationTime: .kept)
    options.packing = PackingOptions()
    let made = "\(root)/app"
    guard application.kind == .app else {
      try application.commit(
        bytes, to: .path(made, replace: false), options: options, observer: observer.map(Quiet.init)
      )
      return Copy(folder: made, app: "\(made)/\(application.bundlePath ?? "")")
    }
    _ = try folder.makeFolder("app")
    _ = try folder.makeFolder("app/Payload")
    let app = "\(made)/Payload/\(applicationName)"
    try application.commit(
      bytes, to: .path(app, replace: false), options: options, observer: observer.map(Quiet.init))
    return Copy(folder: made, app: app)
  }

  /// A copy of the input as it is.
  func copied(observer: (any CommitObserver)?) throws(BundleError) -> String {
    guard application.kind == .ipa else {
      let copy = try unpacked(observer: observer)
      return application.kind == .app ? copy.app : copy.folder
    }
    let path = try place(for: "input.ipa", named: "copy")
    try application.commit(
      application.infoPlist(), to: .path(path, replace: false),
      options: CommitOptions(synchronize: false), observer: observer.map(Quiet.init))
    return path
  }

  /// A path for what is made, with a name like that of the output.
  func place(for output: String, named name: String = "made") throws(BundleError) -> String {
    let around = Self.absolute(try folder.makeFolder(name))
    let last = output.split(separator: "/").last.map(String.init) ?? ""
    guard CommitTarget.isArchiveName(output) else { return "\(around)/\(last)" }
    return "\(around)/app.ipa"
  }

  /// An archive that was made, as a folder.
  func inForm(
    of output: String, from made: String, observer: (any CommitObserver)?
  ) throws(BundleError) -> (path: String, relative: String) {
    let path = try place(for: output, named: "unpacked")
    let archive = try Application.open(made)
    try archive.commit(
      archive.infoPlist(), to: .path(path, replace: false),
      options: CommitOptions(synchronize: false, modificationTime: .kept),
      observer: observer.map(Quiet.init))
    return (path, relative(path))
  }

  /// What becomes the output of a folder that was made.
  func outputFolder(in made: String) -> String {
    let isAround = application.kind == .app && made == "\(root)/app"
    return isAround ? "\(made)/Payload/\(applicationName)" : made
  }

  // MARK: - Files

  /// Writes a file that its owner alone can read, and returns its path.
  func write(_ bytes: [UInt8], to name: String) throws(SigningError) -> String {
    do throws(BundleError) { return Self.absolute(try folder.write(bytes, to: name)) } catch {
      throw SigningError(.io, detail: error.detail)
    }
  }

  /// The request's key, nil where it has none or the signer takes none.
  func key(for signer: any Signer) throws(SigningError) -> SigningKey? {
    guard signer.takesKey, request.hasKey else { return nil }
    return try SigningKey(of: request)
  }

  /// Puts profiles where devices look for them.
  func placeProfiles(of steps: [SigningStep], in app: String) throws(SigningError) {
    for step in steps {
      guard let profile = step.profile, let place = step.profilePlace else { continue }
      let bytes = try SigningFile.bytes(of: profile, limit: SigningLimits.standard.profileBytes)
      let path = "\(app)/\(place)"
      let file = try ReplacementFile(for: Array(path.utf8), shown: path)
      try file.append(bytes)
      try file.publish()
    }
  }

  /// Puts an app that a signer made in another place where the copy was.
  func replace(_ app: String, by made: String, of signer: String) throws(SigningError) {
    guard access(made, F_OK) == 0 else {
      throw SigningError(
        .signer, detail: "\(signer) ended with status 0, and there is no output")
    }
    guard rename(app, scratch + "/before") == 0, rename(made, app) == 0 else {
      throw SigningError(.io, detail: "cannot move what \(signer) made")
    }
  }

  /// Sees to it that a signer left an app.
  func checkIsThere(_ app: String, after signer: String) throws(SigningError) {
    guard access(app, F_OK) == 0 else {
      throw SigningError(.signer, detail: "\(signer) ended with status 0, and the app is gone")
    }
  }

  /// Gives files the permissions back that they had: no seal covers those, and signers lose them.
  func restoreModes(of original: Application, in app: String) throws(BundleError) {
    for member in original.members where member.kind == .file {
      guard let mode = member.permissions, mode & 0o777 != 0,
        let inner = original.pathInApp(member.path)
      else { continue }
      let path = "\(app)/\(inner)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      let now = UInt16(truncatingIfNeeded: status.st_mode & 0o777)
      guard now != mode & 0o777 else { continue }
      _ = chmod(path, mode_t(mode & 0o777))
    }
  }
}

/// Tells of progress alone: a copy that is on its way needs no more.
private final class Quiet: CommitObserver {
  private let observer: any CommitObserver

  init(_ observer: any CommitObserver) { self.observer = observer }

  var wantsBytes: Bool { false }
  func read(_ block: ArraySlice<UInt8>) {}
  func willName() throws(BundleError) {}
  func progress(done: UInt64, of total: UInt64) { observer.progress(done: done, of: total) }
}
