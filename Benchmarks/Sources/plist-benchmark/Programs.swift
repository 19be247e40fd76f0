internal import CPeers
internal import Foundation

/// A program that is measured from its start to its end.
struct ProgramContestant: Contestant {
  let name: String
  /// Nil where it is not installed.
  let path: String?
  let version: String?
  /// The arguments for a cell, nil where it takes no part.
  let arguments: (_ cell: Cell, _ file: String, _ output: String) -> [String]?
  /// What is said where it is not installed.
  var absence = "not installed"

  func entry(for cell: Cell, input: Input) throws -> Entry? {
    let output = Package.path(".build/inputs/\(name).out")
    guard let arguments = arguments(cell, input.file(cell.format).path, output) else { return nil }
    guard let path else { return .skipped(absence) }
    if name == "plistutil", cell.isQuadraticForLibPlist { return .skipped("quadratic: 40 s") }
    let command = [path] + arguments
    var processor = 0.0
    try? FileManager.default.removeItem(atPath: output)
    let status = Programs.run(command, &processor)
    guard status == 0 else {
      return .skipped("'\(name) \(arguments[0])' ends with status \(status)")
    }
    return .measured {
      try? FileManager.default.removeItem(atPath: output)
      let start = Clock.wall.now
      var processor = 0.0
      guard Programs.run(command, &processor) == 0 else {
        throw BenchmarkError("\(command.joined(separator: " ")) failed")
      }
      return Sample(wall: Clock.wall.now - start, processor: processor * 1e9)
    }
  }
}

extension ProgramContestant {
  /// The tool that is built from this repository.
  static func tool(_ path: String) -> ProgramContestant {
    ProgramContestant(
      name: "ipa-inject", path: FileManager.default.isExecutableFile(atPath: path) ? path : nil,
      version: Programs.output(of: [path, "--version"]),
      arguments: { cell, file, output in
        switch cell.operation {
        case .lint: ["plist", "lint", file]
        case .convertFile:
          ["plist", "convert", file, "--to", cell.format.other.rawValue, "-o", output]
        default: nil
        }
      }, absence: "there is no \(path); 'make release' builds it")
  }

  /// The property-list tool of the toolchain and of macOS.
  static var plutil: ProgramContestant {
    ProgramContestant(
      name: "plutil", path: Programs.path(of: "plutil"), version: nil,
      arguments: { cell, file, output in
        switch cell.operation {
        case .lint: ["-lint", file]
        case .convertFile:
          ["-convert", cell.format == .xml ? "binary1" : "xml1", "-o", output, file]
        default: nil
        }
      })
  }

  /// libplist's tool, which has no check.
  static var plistutil: ProgramContestant {
    let path = Programs.path(of: "plistutil")
    return ProgramContestant(
      name: "plistutil", path: path,
      version: path.flatMap { Programs.output(of: [$0, "--version"]) },
      arguments: { cell, file, output in
        guard cell.operation == .convertFile else { return nil }
        return ["-i", file, "-o", output, "-f", cell.format == .xml ? "bin" : "xml"]
      })
  }
}

/// Other programs.
enum Programs {
  /// Where a program is installed.
  static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end and returns its status, or -1; its output is thrown away.
  static func run(_ command: [String], _ processor: inout Double) -> Int32 {
    var arguments = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    return peer_run(arguments, &processor)
  }

  /// The first line that a program prints.
  static func output(of command: [String]) -> String? {
    guard let path = command.first, FileManager.default.isExecutableFile(atPath: path) else {
      return nil
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = Array(command.dropFirst())
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
