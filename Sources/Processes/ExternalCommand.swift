#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A program that is run for what it prints or does.
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
  /// What it reads on its standard input, at most 4096 bytes.
  package var input: [UInt8] = []
  /// The folder that it works in, nil for this program's. It is the shell that goes there, and a program
  /// that does not start then ends with status 126 or 127.
  package var folder: String?

  package init(path: String, arguments: [String], variables: [String] = []) {
    self.path = path
    self.arguments = arguments
    self.variables = variables
  }

  /// The file that a name is: the name itself where it holds a slash, else the first program of that name
  /// in the folders of `PATH`.
  package static func find(_ name: String, in path: String) -> String? {
    let candidates =
      name.contains("/")
      ? [name]
      : path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    return candidates.first(where: isProgram)
  }

  /// Whether a path leads to a file that this process may run.
  package static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// What it prints until it ends.
  ///
  /// It reads only its input, gets no other descriptor of this program, and has a process group of
  /// its own, which is killed where it does not end by the deadline or prints more than the limit.
  /// Processes that it leaves behind are not waited for.
  package func run(by deadline: Deadline, maxBytes: Int) throws(Failure) -> Output {
    var result = Output()
    result.end = try run(by: deadline) { stream, bytes throws(Failure) in
      switch stream {
      case .output: result.bytes += bytes
      case .errors:
        result.errors += bytes.prefix(max(0, Self.maxErrorBytes - result.errors.count))
      }
      guard result.bytes.count <= maxBytes else { throw .limit }
    }
    return result
  }

  /// Where a program prints something.
  package enum Stream: Sendable { case output, errors }

  /// Gives each line that it prints, as it comes, without its end; of a line that is longer than the limit
  /// only the beginning, and no empty ones. Returns how it ended.
  ///
  /// Without a deadline it may take all the time it wants. All else is as for ``run(by:maxBytes:)``, but
  /// for the limit: it may print as much as it wants.
  package func run(
    by deadline: Deadline?, maxLineBytes: Int, onLine: (Stream, [UInt8]) -> Void
  ) throws(Failure) -> ProcessEnd {
    var output = LineSplitter(maxBytes: maxLineBytes)
    var errors = LineSplitter(maxBytes: maxLineBytes)
    let end = try run(by: deadline) { stream, bytes throws(Failure) in
      switch stream {
      case .output: output.add(bytes) { onLine(.output, $0) }
      case .errors: errors.add(bytes) { onLine(.errors, $0) }
      }
    }
    output.finish { onLine(.output, $0) }
    errors.finish { onLine(.errors, $0) }
    return end
  }

  private func run(
    by deadline: Deadline?, _ body: (Stream, [UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> ProcessEnd {
    var output = try OutputPipe()
    var errors = try OutputPipe()
    var child = try Child(self, output: output, errors: errors)
    output.closeWriting()
    errors.closeWriting()
    var roundsAfterEnd = Self.roundsAfterEnd
    while true {
      // What it printed before it ended is in the pipes by then.
      let end = child.end()
      try body(.output, output.read())
      try body(.errors, errors.read())
      if let end {
        roundsAfterEnd -= 1
        if roundsAfterEnd < 0 || !(output.hasMore || errors.hasMore) { return end }
      }
      if let deadline, deadline.isPast { throw .timeout }
      guard end == nil else { continue }
      OutputPipe.wait(for: output, errors, by: deadline)
    }
  }

  private static let maxErrorBytes = 4096
  /// Reads of 64 KiB that empty a pipe as large as a process may make it (Linux, `pipe-max-size`): what
  /// comes later is from processes that are left behind.
  private static let roundsAfterEnd = 32
}

/// A process that does not outlive this value.
private struct Child: ~Copyable {
  private let number: pid_t
  private var known: ProcessEnd?

  init(
    _ command: ExternalCommand, output: borrowing OutputPipe, errors: borrowing OutputPipe
  ) throws(ExternalCommand.Failure) {
    let settings = SpawnSettings()
    let input = try InputPipe(holding: command.input)
    if !command.input.isEmpty { input.hand(to: settings, as: STDIN_FILENO) }
    output.hand(to: settings, as: STDOUT_FILENO)
    errors.hand(to: settings, as: STDERR_FILENO)
    let line =
      command.folder.map {
        ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0, command.path] + command.arguments
      } ?? [command.path] + command.arguments
    let result = settings.start(
      line[0], arguments: Array(line.dropFirst()), variables: command.variables)
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
