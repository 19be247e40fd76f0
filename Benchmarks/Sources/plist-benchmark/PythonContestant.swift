internal import Foundation

/// Python's plistlib, which times itself in a process of its own.
struct PythonContestant: Contestant {
  let name = "plistlib"
  let timer: PythonTimer?

  var version: String? {
    Programs.path(of: "python3").flatMap { Programs.output(of: [$0, "--version"]) }
  }

  func entry(for cell: Cell, input: Input) throws -> Entry? {
    guard !cell.operation.isProcess else { return nil }
    guard let timer else { return .skipped("python3 is not installed") }
    let request = PythonTimer.Request(
      operation: cell.operation.rawValue, format: cell.format.rawValue,
      file: input.file(cell.format).path, key: InputGenerator.editedKey,
      repetitions: cell.size.repetitions)
    let expected = cell.operation == .parse ? input.rootCount : nil
    return .measured {
      let answer = try timer.answer(to: request)
      if let expected, answer.result != expected {
        throw BenchmarkError("plistlib reads \(answer.result) entries of \(expected)")
      }
      return Sample(wall: answer.wall, processor: answer.processor)
    }
  }
}

/// The one owner of a Python process that runs `plistlib-timer.py`.
final class PythonTimer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending = Data()

  /// A line to the process.
  struct Request: Encodable {
    let operation: String
    var format: String?
    let file: String
    var to: String?
    var key: String?
    var repetitions: Int?
  }

  /// A line from it.
  struct Answer: Decodable {
    let wall: Double
    let processor: Double
    let result: Int
  }

  /// Nil where there is no Python.
  init?() throws {
    guard let python = Programs.path(of: "python3") else { return nil }
    process.executableURL = URL(filePath: python)
    process.arguments = [Package.path("plistlib-timer.py")]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit {
    // The end of its input ends it.
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func makeBinary(of xml: String, at path: String) throws {
    _ = try answer(to: Request(operation: "make-binary", file: xml, to: path))
  }

  func answer(to request: Request) throws -> Answer {
    try input.fileHandleForWriting.write(
      contentsOf: JSONEncoder().encode(request) + Data("\n".utf8))
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = pending[..<end]
        pending = Data(pending[pending.index(after: end)...])
        return try JSONDecoder().decode(Answer.self, from: Data(line))
      }
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw BenchmarkError("plistlib-timer.py has ended") }
      pending += bytes
    }
  }
}
