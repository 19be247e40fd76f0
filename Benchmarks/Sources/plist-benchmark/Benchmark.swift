internal import Foundation

/// One run: the chosen cells, measured and printed one after the other.
struct Benchmark {
  private let options: Options
  private let python: PythonTimer?
  private let contestants: [any Contestant]

  init(_ options: Options) throws {
    self.options = options
    python = try PythonTimer()
    let peers: [any Contestant] = [
      SAX2Contestant(), LibPlistContestant(), FoundationContestant(),
      PythonContestant(timer: python), ProgramContestant.plutil, ProgramContestant.plistutil,
    ]
    let ours: [any Contestant] = [
      PlistKitContestant(), WalkingContestant(), ProgramContestant.tool(options.tool),
    ]
    let names = peers.map(\.name)
    if let unknown = options.peers?.first(where: { !names.contains($0) }) {
      throw UsageError("no peer '\(unknown)'; there are \(names.joined(separator: ", "))")
    }
    contestants = ours + peers.filter { options.peers?.contains($0.name) ?? true }
  }

  /// Measures, and prints each table when it is known.
  func run() throws -> Report {
    var report = Report(options: options)
    report.versions = contestants.compactMap { contestant in
      contestant.version.map { (contestant.name, $0) }
    }
    show(report.heading)
    for cell in options.cells {
      let input = try input(cell.size, &report)
      let table = try Measurement(seconds: options.seconds)
        .table(cell, input: input, contestants: contestants)
      report.tables.append(table)
      show(report.text(of: table))
    }
    if !report.barLines.isEmpty { show(report.barLines) }
    return report
  }

  private func input(_ size: Size, _ report: inout Report) throws -> Input {
    if let known = report.inputs.first(where: { $0.size == size }) { return known }
    let input = try Input(size, python: python)
    report.inputs.append(input)
    show(Report.text(of: input))
    return input
  }

  /// Prints at once: a run takes minutes.
  private func show(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
