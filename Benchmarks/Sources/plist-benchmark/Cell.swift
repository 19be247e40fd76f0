/// What is measured.
enum Operation: String, CaseIterable {
  /// Builds the whole value and frees it.
  case parse
  /// Writes a value that has no source.
  case write
  /// Reads, sets one key at the root, and writes.
  case edit
  /// Reads, and writes the other format.
  case convert
}

/// The format that an operation reads, or writes if it only writes.
enum Format: String, CaseIterable {
  case xml
  case binary

  var other: Format { self == .xml ? .binary : .xml }
}

/// The sizes of the XML; the binary form of the same value has about half of it.
enum Size: String, CaseIterable {
  case kilobytes4 = "4k"
  case megabyte1 = "1m"
  case megabytes5 = "5m"
  case megabytes50 = "50m"

  var bytes: Int {
    switch self {
    case .kilobytes4: 4_000
    case .megabyte1: 1_000_000
    case .megabytes5: 5_000_000
    case .megabytes50: 50_000_000
    }
  }

  /// How often an operation runs for one measurement, so that the clock's own time does not count.
  var repetitions: Int { self == .kilobytes4 ? 50 : 1 }
}

/// One table of the report.
struct Cell: Hashable {
  let operation: Operation
  let format: Format
  let size: Size

  var title: String {
    let target = operation == .convert ? " to \(format.other.rawValue)" : ""
    return "\(operation.rawValue) \(format.rawValue)\(target), \(size.rawValue)"
  }
}
