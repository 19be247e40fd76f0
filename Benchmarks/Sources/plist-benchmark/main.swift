internal import Foundation

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  if options.wantsHelp {
    print(Options.help)
    exit(0)
  }
  let report = try Benchmark(options).run()
  if let path = options.json { try report.json.write(to: URL(filePath: path)) }
  exit(options.checksBars && report.missesBar ? 1 : 0)
} catch {
  FileHandle.standardError.write(Data("plist-benchmark: error: \(error)\n".utf8))
  exit(error is UsageError ? 64 : 70)
}
