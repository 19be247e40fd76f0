internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  if options.wantsHelp {
    print(Options.help)
    exit(0)
  }
  let contestants: [any Contestant] = [
    PlistKitContestant(), WalkingContestant(), SAX2Contestant(),
    LibPlistContestant(version: "installed"),
  ].filter { $0.name.hasPrefix("PlistKit") || options.peers?.contains($0.name) ?? true }
  var inputs: [Size: Input] = [:]
  for cell in options.cells {
    let input = try inputs[cell.size] ?? Input(cell.size)
    inputs[cell.size] = input
    let table = try Measurement(seconds: options.seconds)
      .table(cell, input: input, contestants: contestants)
    print(TextReport.text(table, clock: options.clock))
    fflush(nil)
  }
} catch {
  FileHandle.standardError.write(Data("plist-benchmark: error: \(error)\n".utf8))
  exit(1)
}
