internal import AppBundle

/// A file that is written together with an output, or not at all.
protocol Companion: CommitObserver {
  /// Writes the file where no output was written, because it stays as it is.
  func publishUnlessPublished() throws(Failure)
  /// Undoes what was written, because the output could not be made.
  func withdraw()
}

/// Hears of a commit for the files that go with it and for the bar.
final class CommitWatch: CommitObserver {
  private let companions: [any Companion]
  private let bar: ProgressBar?

  init(companions: [any Companion], bar: ProgressBar?) {
    self.companions = companions
    self.bar = bar
  }

  var wantsBytes: Bool { companions.contains(where: \.wantsBytes) }

  func read(_ block: ArraySlice<UInt8>) {
    for companion in companions where companion.wantsBytes { companion.read(block) }
  }

  func willName() throws(BundleError) {
    for companion in companions { try companion.willName() }
  }

  func progress(done: UInt64, of total: UInt64) { bar?.update(done: done, total: total) }
}
