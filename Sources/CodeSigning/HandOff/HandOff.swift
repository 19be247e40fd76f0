package import AppBundle
internal import PlistKit
internal import Processes

/// Gives an app to a signer, looks at what comes back, and only then gives it the output's name.
package struct HandOff {
  /// Who signs.
  package enum Way: Sendable {
    /// A signer that is known by name, at a path.
    case signer(any Signer, path: String)
    /// A command line for the shell.
    case command(ShellTemplate)
    /// This program itself, without a certificate.
    case builtIn(AdHocSigner.Options)
  }

  /// Where the result goes.
  package struct Output: Sendable {
    package var path: String
    package var replaces = false
    package var synchronize = true
    package var packing = PackingOptions()

    package init(_ path: String) { self.path = path }
  }

  /// Why there is no output.
  package enum Failure: Error {
    /// About the input, or where that is said about the output.
    case bundle(BundleError)
    case signing(SigningError)
  }

  /// What came of it.
  package struct Result: Sendable {
    /// The command lines, without passwords.
    package var commands: [[String]] = []
    /// What the last of them ended with, nil where none ran.
    package var status: Int32?
    package var findings: [HandOffFinding] = []
    package var notes: [String] = []
    /// Whether the output has its name.
    package var isWritten = false
  }

  private let application: Application
  private let way: Way
  private let request: SignerRequest
  private let output: Output

  /// What is signed, inside out.
  package var steps: [SigningStep] = []
  /// Checks the signatures of what came back.
  package var verify: (Application) throws(SigningError) -> [HandOffFinding] = { _ in [] }
  /// Hears of what is done, and of what the signer prints.
  package var log: (String) -> Void = { _ in }
  /// Hears of bytes that are copied and packed.
  package var observer: (any CommitObserver)?

  package init(
    _ application: Application, to output: Output, by way: Way, with request: SignerRequest
  ) {
    self.application = application
    self.output = output
    self.way = way
    self.request = request
  }

  /// Signs the app.
  /// - Returns: what was found. Where one of that is an error, there is no output.
  package func run() throws(Failure) -> Result {
    let folder = try caught { () throws(BundleError) in
      try PrivateFolder(beside: output.path, replace: output.replaces, of: application)
    }
    let room = try SigningRoom(folder, application, request, secrets: secrets)
    var result = Result()
    let made: String
    switch way {
    case .signer(let signer, let path): made = try sign(signer, path, in: room, &result)
    case .command(let template): made = try sign(template, in: room, &result)
    case .builtIn(let options):
      let copy = try caught { () throws(BundleError) in try room.unpacked(observer: observer) }
      result.notes += try caughtSigning { () throws(SigningError) in
        try AdHocSigner.sign(folder: copy.folder, options: options).notes
      }
      made = copy.folder
    }
    let formed = try caught { () throws(BundleError) in try form(made, in: room) }
    let signed = try opened(formed, in: room)
    log("checking what came back")
    result.findings = try findings(in: signed)
    guard !result.findings.contains(where: { $0.level == .error }) else { return result }
    try caught { () throws(BundleError) in
      try folder.publish(
        formed.relative, permissions: room.permissions, synchronize: output.synchronize)
    }
    result.isWritten = true
    return result
  }

  /// What is wrong with an app that a signer made of the input.
  package func findings(in signed: Application) throws(Failure) -> [HandOffFinding] {
    let (signer, asked) = signerAndWishes
    let check = HandOffCheck(application, became: signed, by: signer, asked: asked)
    let ofSignature = try caughtSigning { () throws(SigningError) in try verify(signed) }
    // What names what a signer does wrong comes before what that breaks.
    return try caught { () throws(BundleError) in try check.findings() } + ofSignature
  }

  private var signerAndWishes: (signer: (any Signer)?, asked: [String]) {
    switch way {
    case .signer(let signer, _): (signer, request.extraArguments)
    case .command(let template): (nil, [template.text])
    case .builtIn: (nil, [])
    }
  }

  /// All texts that are passwords.
  private var secrets: [String] {
    let own = [request.password?.text].compactMap(\.self)
    guard case .signer(let signer, _) = way else { return own }
    return own + signer.secrets(in: request.extraArguments)
  }
}

// MARK: - Ways

extension HandOff {
  private func sign(
    _ signer: any Signer, _ path: String, in room: SigningRoom, _ result: inout Result
  ) throws(Failure) -> String {
    let withheld = try withheld(for: signer)
    let copy = try caught { () throws(BundleError) in
      try room.unpacked(infoPlist: withheld?.infoPlist, observer: observer)
    }
    let steps = room.absolute(steps)
    let job = try caughtSigning { () throws(SigningError) in
      try room.placeProfiles(
        of: signer.sealsExtensions ? steps : steps.filter(\.path.isEmpty), in: copy.app)
      return SigningJob(
        app: copy.app, steps: steps, request: room.request, key: try room.key(for: signer),
        withheld: withheld.map { ($0.key, $0.value) },
        file: { name, bytes throws(SigningError) in try room.write(bytes, to: name) })
    }
    result.notes += signer.notes(for: job)
    let calls = try caughtSigning { () throws(SigningError) in try signer.calls(for: job) }
    for call in calls {
      let line = [path] + call.arguments
      result.commands.append(line.map { Secret.hiding(room.secrets, in: $0) })
      var command = ExternalCommand(
        path: path, arguments: call.arguments,
        variables: ["TMPDIR=\(room.scratch)"] + call.variables)
      // Signers leave caches where they work.
      command.folder = room.scratch
      log("\(signer.name) signs \(copy.app)")
      try run(command, named: signer.name, secrets: room.secrets) { signer.reason(in: $0) }
      result.status = 0
      if let made = call.result {
        try caughtSigning { () throws(SigningError) in
          try room.replace(copy.app, by: made, of: signer.name)
        }
      }
    }
    try caughtSigning { () throws(SigningError) in
      try room.checkIsThere(copy.app, after: signer.name)
    }
    try caught { () throws(BundleError) in try room.restoreModes(of: application, in: copy.app) }
    return copy.folder
  }

  private func sign(
    _ template: ShellTemplate, in room: SigningRoom, _ result: inout Result
  ) throws(Failure) -> String {
    var values: [ShellTemplate.Placeholder: String] = [:]
    var made = ""
    if template.uses(.bundle) {
      let copy = try caught { () throws(BundleError) in try room.unpacked(observer: observer) }
      try caughtSigning { () throws(SigningError) in try room.placeProfiles(of: steps, in: copy.app)
      }
      values[.bundle] = copy.app
      made = copy.folder
    }
    if template.uses(.input) {
      if template.uses(.output) || template.uses(.bundle) {
        values[.input] = SigningRoom.absolute(application.path)
      } else {
        made = try caught { () throws(BundleError) in try room.copied(observer: observer) }
        values[.input] = made
      }
    }
    if template.uses(.output) {
      made = try caught { () throws(BundleError) in try room.place(for: output.path) }
      values[.output] = made
    }
    let main = room.absolute(steps).last
    values[.profile] = main?.profile
    try caughtSigning { () throws(SigningError) in
      if template.uses(.entitlements), let bytes = main?.entitlements {
        values[.entitlements] = try room.write(bytes, to: "entitlements.plist")
      }
      if template.uses(.passwordFile), let password = request.password {
        values[.passwordFile] = try room.write(Array(password.text.utf8), to: "password")
      }
    }
    for placeholder in [ShellTemplate.Placeholder.profile, .entitlements, .passwordFile]
    where template.uses(placeholder) && values[placeholder] == nil {
      throw .signing(
        SigningError(
          .missing, detail: "the command names \(placeholder.rawValue), and there is none",
          hint: placeholder == .passwordFile
            ? "--password-file FILE or --password-env NAME"
            : placeholder == .profile ? "-m FILE" : "-e FILE"))
    }
    let line = template.line(values)
    result.commands.append(["/bin/sh", "-c", Secret.hiding(room.secrets, in: line)])
    let command = ExternalCommand(
      path: "/bin/sh", arguments: ["-c", line], variables: ["TMPDIR=\(room.scratch)"])
    log("the shell runs \(Secret.hiding(room.secrets, in: line))")
    try run(command, named: "the command", secrets: room.secrets) { $0.last }
    result.status = 0
    return made
  }

  private func run(
    _ command: ExternalCommand, named name: String, secrets: [String],
    reason: ([String]) -> String?
  ) throws(Failure) {
    let run = SignerRun(name: name, secrets: secrets, timeout: request.timeout, log: log)
    try caughtSigning { () throws(SigningError) in try run.run(command, reason: reason) }
  }

  /// What a signer is to put back into Info.plist, and that without it.
  private func withheld(
    for signer: any Signer
  ) throws(Failure) -> (key: String, value: String, infoPlist: [UInt8])? {
    let bytes = try caught { () throws(BundleError) in try application.infoPlist() }
    guard var document = try? PlistDocument(parsing: bytes, limits: .infoPlist),
      var values = document.root.dictionary, let found = signer.withheld(from: values)
    else { return nil }
    values[found.key] = nil
    document.root = .dictionary(values)
    return (try? document.serialized()).map { (found.key, found.value, $0) }
  }
}

// MARK: - The result

extension HandOff {
  /// What was made in the form that the output has, by its path and that in the private folder.
  private func form(
    _ made: String, in room: SigningRoom
  ) throws(BundleError) -> (path: String, relative: String) {
    let isArchive = CommitTarget.isArchiveName(made)
    guard CommitTarget.isArchiveName(output.path) else {
      if isArchive { return try room.inForm(of: output.path, from: made, observer: observer) }
      let folder = room.outputFolder(in: made)
      return (folder, room.relative(folder))
    }
    if isArchive { return (made, room.relative(made)) }
    log("packing")
    let path = try room.place(for: output.path, named: "packed")
    let progress = observer.map { observer in { observer.progress(done: $0, of: $1) } }
    var packed = Packing.Output(path)
    packed.synchronize = false
    _ = try Packing.pack(
      made, to: packed, app: application.kind == .xcarchive ? room.applicationName : nil,
      options: output.packing, progress: progress)
    return (path, room.relative(path))
  }

  private func opened(
    _ formed: (path: String, relative: String), in room: SigningRoom
  ) throws(Failure) -> Application {
    // There may be several, and one of them was chosen.
    let app = application.kind == .app ? nil : room.applicationName
    do throws(BundleError) { return try Application.open(formed.path, app: app) } catch {
      let what = error.code == .notFound ? "there is no output" : "the output cannot be read"
      throw .signing(
        SigningError(
          .signer,
          detail: "the signer ended with status 0, and \(what): "
            + "\(error.member.map { "\($0): " } ?? "")\(error.detail)"))
    }
  }
}

/// An error of the container, as one of the hand-off.
func caught<Value>(
  _ body: () throws(BundleError) -> Value
) throws(HandOff.Failure) -> Value {
  do throws(BundleError) { return try body() } catch { throw .bundle(error) }
}

/// An error of signing, as one of the hand-off.
func caughtSigning<Value>(
  _ body: () throws(SigningError) -> Value
) throws(HandOff.Failure) -> Value {
  do throws(SigningError) { return try body() } catch { throw .signing(error) }
}

extension Signer {
  /// The values of its options that are passwords.
  func secrets(in arguments: [String]) -> [String] {
    var found: [String] = []
    for (index, argument) in arguments.enumerated() {
      for option in secretOptions {
        if argument == option, index + 1 < arguments.count { found.append(arguments[index + 1]) }
        let joined = option.hasPrefix("--") ? option + "=" : option
        if argument != option, argument.hasPrefix(joined) {
          found.append(String(argument.dropFirst(joined.count)))
        }
      }
    }
    return found
  }
}
