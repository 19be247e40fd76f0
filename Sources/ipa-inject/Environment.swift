internal import NetDiscovery
internal import PlistKit

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The command line without the program's name; nil for an argument that is no UTF-8, of which Swift's
/// own list has a repaired copy that leads to another file.
func processArguments() -> [String?] {
  (1..<max(1, CommandLine.argc)).map { index in
    CommandLine.unsafeArgv[Int(index)].flatMap { String(validatingCString: $0) }
  }
}

/// Everything that a command takes from the machine, so that a test can give it something else.
struct Environment: Sendable {
  /// Environment variables.
  var variables: [String: String]
  /// An environment variable whose name is not known beforehand.
  var variable: @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
  /// Where results go.
  var output: Console
  /// Where progress, warnings and errors go.
  var errorOutput: Console
  /// Where is said what is being done.
  var log = Log(messages: nil)
  /// Where warnings and errors are said.
  var messages: Messages
  /// The bar of the run's one input, or of the one that this environment is for.
  var bar: ProgressBar?
  /// What this machine says, where a batch looked at it before.
  var machine: InjectDestinations.Machine?
  /// The project's settings, where a batch read them before.
  var configuration: Configuration?
  /// How many threads may hash for one input, where a batch works on several; nil for as many as there
  /// are processors.
  var workers: Int?
  /// The network interfaces of this machine.
  var interfaces: @Sendable () throws(DiscoveryError) -> [Interface]
  /// Tailscale on this machine.
  var tailscale: any TailscaleSource = SystemTailscale()

  /// The process's own.
  static var process: Environment {
    occupyStandardDescriptors()
    // A reader that goes away shows as EPIPE.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow shows as EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    return Environment(
      variables: Self.variables(), output: .output, errorOutput: .error,
      messages: Messages(console: .error),
      interfaces: { () throws(DiscoveryError) in try Interface.current() })
  }

  /// Takes each standard descriptor that is closed: the next file or socket would get its number, and
  /// messages would go into that. What stands there cannot be read from, or not be written to, as a
  /// closed one cannot.
  private static func occupyStandardDescriptors() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private static func variables() -> [String: String] {
    let names = ["IPA_HUB_PORT", "NO_COLOR", "COLUMNS", "TERM", "SOURCE_DATE_EPOCH"]
    return names.reduce(into: [:]) { found, name in
      if let value = getenv(name) { found[name] = String(cString: value) }
    }
  }

  /// The time that outputs get instead of the present one (reproducible-builds.org), nil where none is
  /// asked for.
  var sourceDateEpoch: Int64? {
    get throws(Failure) {
      guard let text = variables["SOURCE_DATE_EPOCH"]?.nonEmpty else { return nil }
      guard let seconds = Int64(text), seconds >= 0 else {
        throw Failure.usage(UsageError("SOURCE_DATE_EPOCH is '\(text)', not seconds since 1970"))
      }
      return seconds
    }
  }

  /// The present moment, or the one that outputs get in its place.
  func moment() throws(Failure) -> PlistDate {
    let seconds = try sourceDateEpoch.map { Double($0) } ?? Double(time(nil))
    // 2001 began so many seconds after 1970.
    return PlistDate(secondsSince2001: seconds - 978_307_200)
  }
}
