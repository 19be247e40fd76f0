internal import Processes

/// Runs a signer, tells of what it prints, and says what went wrong.
struct SignerRun {
  let name: String
  /// Passwords that may not show in anything it prints.
  let secrets: [String]
  let timeout: Duration?
  /// Hears each line that the signer prints.
  let log: (String) -> Void

  /// Lines that are kept to find the reason in, from the beginning and the end.
  private static let keptLines = 50
  private static let maxLineBytes = 4096

  /// Runs a program to its end; `reason` finds what went wrong in what it printed.
  /// - Throws: ``SigningError`` with code `missing` where it does not start, `signer` where it fails.
  func run(
    _ command: ExternalCommand, reason: ([String]) -> String?
  ) throws(SigningError) {
    var first: [String] = []
    var last: [String] = []
    let deadline = timeout.map { Deadline(after: $0) }
    let end: ProcessEnd
    do throws(ExternalCommand.Failure) {
      end = try command.run(by: deadline, maxLineBytes: Self.maxLineBytes) { _, bytes in
        let line = shown(bytes)
        guard !line.isEmpty else { return }
        log(line)
        if first.count < Self.keptLines {
          first.append(line)
        } else {
          last.append(line)
          if last.count > 2 * Self.keptLines { last.removeFirst(Self.keptLines) }
        }
      }
    } catch {
      switch error {
      case .start(let number):
        throw SigningError(
          .missing, detail: "\(name) does not start: \(SystemError(number: number).reason)")
      case .timeout:
        throw SigningError(
          .signer,
          detail: "\(name) did not end within \(timeout?.components.seconds ?? 0) s and was ended",
          hint: "--timeout SECONDS lets it take longer")
      case .limit: throw SigningError(.signer, detail: "\(name) prints too much")
      }
    }
    let said = reason(first + last).map { ": \($0)" } ?? ""
    switch end {
    case .status(0): return
    case .status(let status):
      throw SigningError(.signer, detail: "\(name) ended with status \(status)\(said)")
    case .signal(let signal):
      throw SigningError(.signer, detail: "\(name) was ended by signal \(signal)\(said)")
    case .unknown:
      throw SigningError(.signer, detail: "how \(name) ended cannot be told\(said)")
    }
  }

  /// A line as it is shown: without escape sequences (ECMA-48) and passwords.
  private func shown(_ bytes: [UInt8]) -> String {
    let text = Secret.hiding(
      secrets, in: String(decoding: Self.withoutEscapes(bytes), as: UTF8.self))
    return String(text.drop { $0 == " " && text.allSatisfy { $0 == " " } })
  }

  static func withoutEscapes(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == 0x1B else {
        if byte >= 0x20 || byte == 0x09 { plain.append(byte) }
        continue
      }
      // CSI: parameters up to a final byte; else the escape and one byte.
      guard rest.popFirst() == UInt8(ascii: "[") else { continue }
      while let next = rest.popFirst(), !(0x40...0x7E).contains(next) {}
    }
    return plain
  }

  /// What a program says when it is asked for its version, in one line; nil where that is nothing.
  static func version(of path: String, _ arguments: [String]) -> String? {
    let command = ExternalCommand(path: path, arguments: arguments)
    guard
      let output = try? command.run(by: Deadline(after: .seconds(10)), maxBytes: 1 << 16),
      output.end == .status(0)
    else { return nil }
    let bytes = output.bytes.isEmpty ? output.errors : output.bytes
    let text = String(
      decoding: withoutEscapes(bytes.split(separator: 0x0A).first.map(Array.init) ?? []),
      as: UTF8.self)
    // The number, behind a name or a word.
    let word = text.split(separator: " ").last { $0.first?.isNumber == true || $0.hasPrefix("v") }
    let found = word.map(String.init) ?? text
    return found.isEmpty ? nil : found
  }
}
