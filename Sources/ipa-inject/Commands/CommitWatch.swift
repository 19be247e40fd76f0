internal import AppBundle

/// Hears of a commit for the record and the bar, where there are such.
final class CommitWatch: CommitObserver {
  private let record: Record?
  private let bar: ProgressBar?

  init(record: Record?, bar: ProgressBar?) {
    self.record = record
    self.bar = bar
  }

  var wantsBytes: Bool { record != nil }
  func read(_ block: ArraySlice<UInt8>) { record?.read(block) }
  func willName() throws(BundleError) { try record?.willName() }
  func progress(done: UInt64, of total: UInt64) { bar?.update(done: done, total: total) }
}
