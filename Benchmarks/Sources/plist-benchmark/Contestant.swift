/// A reader and writer of property lists that is measured.
protocol Contestant {
  /// What it is called in tables and by `--peer`.
  var name: String { get }
  /// The version that is measured, as far as it says one.
  var version: String? { get }
  /// How it takes part in a cell, nil where the cell asks for what it does not do.
  func entry(for cell: Cell, input: Input) throws -> Entry?
}

/// How a contestant takes part in a cell.
enum Entry {
  /// Runs once and returns the time.
  case measured(() throws -> Sample)
  /// Does not run, for this reason.
  case skipped(String)
}
