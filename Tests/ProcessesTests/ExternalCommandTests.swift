import Foundation
import Testing

@testable import Processes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite("ExternalCommand", .timeLimit(.minutes(1)))
struct ExternalCommandTests {
  static let short = Duration.milliseconds(300)

  /// What a script of the shell prints.
  static func run(
    _ script: String, _ arguments: [String] = [], variables: [String] = [],
    within duration: Duration = .seconds(30), maxBytes: Int = 1 << 20
  ) throws -> ExternalCommand.Output {
    let folder = try ScratchFolder()
    let command = ExternalCommand(
      path: try folder.script(script), arguments: arguments, variables: variables)
    return try command.run(by: Deadline(after: duration), maxBytes: maxBytes)
  }

  struct Row: NamedRow {
    let name: String
    let script: String
    var output = ""
    var errors = ""
    var end = ProcessEnd.status(0)
  }

  static let rows: [Row] = [
    .init(name: "nothing", script: ""),
    .init(
      name: "both streams", script: "echo a; echo b >&2; echo c", output: "a\nc\n", errors: "b\n"),
    .init(name: "a status", script: "echo a; exit 3", output: "a\n", end: .status(3)),
    .init(name: "a signal", script: "echo a; kill -TERM $$", output: "a\n", end: .signal(15)),
    .init(name: "nothing to read", script: "cat; echo a", output: "a\n"),
    .init(
      name: "a line without end, after a while", script: "sleep 0.1; printf a; sleep 0.1",
      output: "a"),
    .init(
      name: "streams closed before the end", script: "exec >&- 2>&-; sleep 0.1; exit 4",
      end: .status(4)),
    .init(
      name: "a process left behind with the streams", script: "sleep 30 & echo a", output: "a\n"),
    .init(
      name: "200000 bytes at once",
      script: "head -c 200000 /dev/zero | tr '\\0' a",
      output: String(repeating: "a", count: 200_000)
    ),
    .init(
      name: "200000 bytes of errors, of which some are kept",
      script: "head -c 200000 /dev/zero | tr '\\0' a >&2; echo b", output: "b\n",
      errors: String(repeating: "a", count: 4096)),
  ]

  @Test("what a program prints and how it ends", arguments: rows)
  func run(_ row: Row) throws {
    let output = try Self.run(row.script)
    #expect(String(decoding: output.bytes, as: UTF8.self) == row.output)
    #expect(String(decoding: output.errors, as: UTF8.self) == row.errors)
    #expect(output.end == row.end)
  }

  @Test("arguments and variables arrive as they are")
  func arguments() throws {
    let output = try Self.run(
      "printf '%s|' \"$@\" \"$NEW\" \"$HOME\" \"${PATH:+path}\"", ["a b", "", "ü\"'"],
      variables: ["NEW=x=y", "HOME=/elsewhere"])
    #expect(String(decoding: output.bytes, as: UTF8.self) == "a b||ü\"'|x=y|/elsewhere|path|")
  }

  @Test("a variable that is given anew is there once")
  func variables() throws {
    let output = try Self.run("env | grep -c '^HOME='", variables: ["HOME=/elsewhere"])
    #expect(output.bytes == Array("1\n".utf8))
  }

  @Test("one that does not end is killed with what it started")
  func timeout() throws {
    let folder = try ScratchFolder()
    let command = ExternalCommand(
      path: try folder.script(
        "trap '' TERM INT HUP; sh -c 'echo $$ >\(folder.path)/inner; exec sleep 60' & "
          + "echo $$ >\(folder.path)/outer; wait"),
      arguments: [])
    #expect(throws: ExternalCommand.Failure.timeout) {
      try command.run(by: Deadline(after: .seconds(1)), maxBytes: 100)
    }
    for name in ["outer", "inner"] {
      let text = try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
      let number = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(Self.isGone(number), "\(name)")
    }
  }

  @Test("one that prints more than the limit is killed, one that prints as much is not")
  func limit() throws {
    #expect(try Self.run("printf 12345", maxBytes: 5).bytes.count == 5)
    #expect(throws: ExternalCommand.Failure.limit) { try Self.run("printf 123456", maxBytes: 5) }
    #expect(throws: ExternalCommand.Failure.limit) { try Self.run("yes", maxBytes: 1 << 20) }
  }

  @Test("lines come as they are printed, and there may be any number of them")
  func lines() throws {
    let folder = try ScratchFolder()
    let command = ExternalCommand(
      path: try folder.script(
        "printf 'a\\n\\nb\\rc\\n'; echo e >&2; yes 0123456789 | head -c 3000000; echo; printf last; exit 3"
      ),
      arguments: [])
    var lines: [ExternalCommand.Stream: [String]] = [:]
    let end = try command.run(by: nil, maxLineBytes: 4) { stream, line in
      lines[stream, default: []].append(String(decoding: line, as: UTF8.self))
    }
    #expect(end == .status(3))
    #expect(lines[.errors] == ["e"])
    #expect(lines[.output]?.prefix(4) == ["a", "b", "c", "0123"])
    #expect(lines[.output]?.last == "last")
    #expect((270_000..<280_000).contains(lines[.output]?.count ?? 0))
  }

  @Test("input and a folder are given to a program, without a deadline")
  func input() throws {
    let folder = try ScratchFolder()
    var command = ExternalCommand(
      path: "/bin/sh", arguments: ["-c", "cat; echo; pwd -P; echo $0", "x"])
    command.input = Array("secret".utf8)
    command.folder = folder.path
    var lines: [String] = []
    let end = try command.run(by: nil, maxLineBytes: 1000) {
      lines.append(String(decoding: $1, as: UTF8.self))
    }
    #expect(end == .status(0))
    let real = try #require(realpath(folder.path, nil))
    defer { free(real) }
    #expect(lines == ["secret", String(cString: real), "x"])
    command.input = [UInt8](repeating: 1, count: 4097)
    #expect(throws: ExternalCommand.Failure.start(E2BIG)) {
      try command.run(by: nil, maxLineBytes: 1) { _, _ in }
    }
  }

  @Test("a program is looked for in absolute folders alone, and must be one")
  func find() throws {
    let folder = try ScratchFolder()
    let path = try folder.script("", named: "signer")
    #expect(ExternalCommand.find("signer", in: ":.:/nonexistent:\(folder.path)") == path)
    #expect(ExternalCommand.find("signer", in: "") == nil)
    #expect(ExternalCommand.find(path, in: "") == path)
    #expect(ExternalCommand.find(folder.path, in: "") == nil)
  }

  @Test("what is left behind and prints without end does not hold anybody up")
  func straggler() throws {
    let folder = try ScratchFolder()
    let command = ExternalCommand(
      path: try folder.script("echo $$ >\(folder.path)/group; yes & exit 0"), arguments: [])
    defer {
      let text = try? String(contentsOfFile: "\(folder.path)/group", encoding: .utf8)
      let number = text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
      if let number, number > 1 { kill(-number, SIGKILL) }
    }
    do throws(ExternalCommand.Failure) {
      let output = try command.run(by: Deadline(after: .seconds(30)), maxBytes: 1 << 20)
      #expect(output.end == .status(0))
    } catch {
      #expect(error == .limit)
    }
  }

  struct StartRow: NamedRow {
    let name: String
    let text: String?
    var mode = 0o755
    let number: Int32
  }

  static let starts: [StartRow] = [
    .init(name: "no file", text: nil, number: ENOENT),
    .init(name: "a file that is no program", text: "\0\0\0\0", number: ENOEXEC),
    .init(name: "an interpreter that is not there", text: "#!/nonexistent\n", number: ENOENT),
    .init(name: "no permission", text: "#!/bin/sh\n", mode: 0o644, number: EACCES),
  ]

  @Test("a program that does not start", arguments: starts)
  func start(_ row: StartRow) throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/command"
    if let text = row.text {
      try FileManager.default.setAttributes(
        [.posixPermissions: row.mode],
        ofItemAtPath: try folder.program(text, named: "command"))
    }
    let command = ExternalCommand(path: path, arguments: [])
    #expect(throws: ExternalCommand.Failure.start(row.number)) {
      try command.run(by: Deadline(after: .seconds(30)), maxBytes: 100)
    }
  }

  #if os(Linux)
    @Test("no descriptor of this process and no odd signal goes to a program")
    func inheritance() async {
      // In a process of its own, where no other test opens and closes descriptors.
      await #expect(processExitsWith: .success) {
        signal(SIGPIPE, SIG_IGN)
        var blocked = sigset_t()
        sigfillset(&blocked)
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        let given = try Self.pipes()
        let command = ExternalCommand(
          path: "/bin/sh",
          arguments: ["-c", "grep -E '^Sig(Ign|Blk)' /proc/self/status; ls -l /proc/$$/fd"])
        let output = try command.run(by: Deadline(after: .seconds(30)), maxBytes: 1 << 20)
        let lines = String(decoding: output.bytes, as: UTF8.self).split(separator: "\n")
        try #require(lines.count > 3)
        let pipes = lines.filter {
          $0.contains(" -> pipe:") && !given.contains(where: $0.hasSuffix)
        }
        #expect(pipes.count == 2 && pipes[0].contains(" 1 -> ") && pipes[1].contains(" 2 -> "))
        #expect(lines.contains { $0.hasSuffix(" 0 -> /dev/null") })
        // The C library has two signals of its own ignored in what it starts.
        let own: UInt64 = 3 << 31
        for line in lines[..<2] {
          let signals = try #require(UInt64(line.suffix(16), radix: 16))
          #expect(signals & ~own == 0, "\(line)")
        }
      }
    }

    @Test("a run leaves no descriptor and no process behind")
    func leaks() async {
      await #expect(processExitsWith: .success) {
        let command = ExternalCommand(path: "/bin/sh", arguments: ["-c", "echo $$; exec sleep 60"])
        let before = try Self.pipes()
        for _ in 0..<20 {
          #expect(throws: ExternalCommand.Failure.timeout) {
            try command.run(by: Deadline(after: .milliseconds(5)), maxBytes: 100)
          }
          #expect(throws: ExternalCommand.Failure.start(ENOENT)) {
            try ExternalCommand(path: "/nonexistent", arguments: []).run(
              by: Deadline(after: .seconds(30)), maxBytes: 100)
          }
        }
        #expect(try Self.pipes() == before)
        // There is no child left, not even one that waits to be looked at.
        let child = waitpid(-1, nil, WNOHANG)
        let number = errno
        #expect(child == -1)
        #expect(number == ECHILD)
      }
    }

    /// The pipes of this process; the runtime opens and closes other files at any time.
    private static func pipes() throws -> Set<String> {
      let folder = "/proc/self/fd"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      let targets = names.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
      return Set(targets.filter { $0.hasPrefix("pipe:") })
    }
  #endif

  @Test("an end is told from what the system says of it")
  func ends() {
    #expect(ProcessEnd(waitStatus: 0) == .status(0))
    #expect(ProcessEnd(waitStatus: 0xff00) == .status(255))
    #expect(ProcessEnd(waitStatus: 9) == .signal(9))
    #expect(ProcessEnd(waitStatus: 0x8b) == .signal(11))
  }

  @Test("after the close everything that ran is gone, and nothing starts")
  func close() async {
    await #expect(processExitsWith: .success) {
      let command = ExternalCommand(path: "/bin/sleep", arguments: ["60"])
      Thread.detachNewThread {
        usleep(300_000)
        ChildProcesses.close()
      }
      let output = try command.run(by: Deadline(after: .seconds(30)), maxBytes: 100)
      #expect(output.end == .signal(SIGKILL))
      #expect(throws: ExternalCommand.Failure.start(ECANCELED)) {
        try command.run(by: Deadline(after: .seconds(30)), maxBytes: 100)
      }
    }
  }

  /// Whether a process is no more, or waits for its parent, which is init, to look at it.
  static func isGone(_ number: pid_t) -> Bool {
    for _ in 0..<100 {
      if kill(number, 0) != 0 { return true }
      let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
      if status?.contains(") Z ") == true { return true }
      usleep(20_000)
    }
    return false
  }
}
