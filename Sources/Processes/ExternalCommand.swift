#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A program that is run for what it prints.
package struct ExternalCommand: Sendable {
  /// What it printed, and how it ended.
  package struct Output: Sendable, Equatable {
    package var bytes: [UInt8] = []
    /// The beginning of what it printed on its standard error.
    package var errors: [UInt8] = []
    package var end = ProcessEnd.unknown
  }

  /// Why there is no output.
  package enum Failure: Error, Equatable {
    /// The number of the error with which it does not start.
    case start(Int32)
    case timeout
    case limit
  }

  /// The absolute path of its file.
  package let path: String
  package let arguments: [String]
  /// `NAME=value`, beside the variables of this process.
  package var variables: [String]

  package init(path: String, arguments: [String], variables: [String] = []) {
    self.path = path
    self.arguments = arguments
    self.variables = variables
  }

  /// What it prints until it ends.
  ///
  /// It reads nothing, gets no other descriptor of this program, and has a process group of
  /// its own, which is killed where it does not end by the deadline or prints more than the limit.
  /// Processes that it leaves behind are not waited for.
  package func run(by deadline: Deadline, maxBytes: Int) throws(Failure) -> Output {
    var output = try OutputPipe()
    var errors = try OutputPipe()
    var child = try Child(self, output: output, errors: errors)
    output.closeWriting()
    errors.closeWriting()
    var result = Output()
    while true {
      // What it printed before it ended is in the pipes by then.
      let end = child.end()
      result.bytes += output.read()
      result.errors += errors.read().prefix(max(0, Self.maxErrorBytes - result.errors.count))
      guard result.bytes.count <= maxBytes else { throw .limit }
      if let end, !output.hasMore {
        result.end = end
        return result
      }
      guard !deadline.isPast else { throw .timeout }
      guard end == nil else { continue }
      OutputPipe.wait(for: output, errors, by: deadline)
    }
  }

  private static let maxErrorBytes = 4096
}

/// A process that does not outlive this value.
private struct Child: ~Copyable {
  private let number: pid_t
  private var known: ProcessEnd?

  init(
    _ command: ExternalCommand, output: borrowing OutputPipe, errors: borrowing OutputPipe
  ) throws(ExternalCommand.Failure) {
    let settings = SpawnSettings()
    output.hand(to: settings, as: STDOUT_FILENO)
    errors.hand(to: settings, as: STDERR_FILENO)
    let result = settings.start(
      command.path, arguments: command.arguments, variables: command.variables)
    switch result {
    case .success(let child): number = child
    case .failure(let error): throw .start(error.number)
    }
  }

  deinit {
    guard known == nil else { return }
    ChildProcesses.end(number)
    // A killed process ends at once, unless the system holds it; then it is left to the system.
    var rounds = 1000
    while rounds > 0, ChildProcesses.reap(number) == nil {
      usleep(1000)
      rounds -= 1
    }
  }

  /// How it ended, nil while it runs.
  mutating func end() -> ProcessEnd? {
    if known == nil { known = ChildProcesses.reap(number) }
    return known
  }
}
