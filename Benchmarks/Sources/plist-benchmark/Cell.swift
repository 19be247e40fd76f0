/// What is measured.
enum Operation: String, CaseIterable, Sendable {
  /// Builds the whole value and frees it.
  case parse
  /// Writes a value that has no source.
  case write
  /// Reads, sets one key at the root, and writes.
  case edit
  /// Reads, and writes the other format.
  case convert
  /// Checks a file, as a program from its start to its end.
  case lint
  /// Makes a file of the other format of a file, as a program from its start to its end.
  case convertFile = "convert-file"

  /// Whether whole programs are measured.
  var isProcess: Bool { self == .lint || self == .convertFile }
}

/// The format that an operation reads, or writes if it only writes.
enum Format: String, CaseIterable, Sendable {
  case xml
  case binary

  var other: Format { self == .xml ? .binary : .xml }
}

/// The sizes of the XML; the binary form of the same value has about a third of it.
enum Size: String, CaseIterable, Sendable {
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
struct Cell: Hashable, Sendable {
  let operation: Operation
  let format: Format
  let size: Size

  init(_ operation: Operation, _ format: Format, _ size: Size) {
    self.operation = operation
    self.format = format
    self.size = size
  }

  /// The name, with the operation's as `--operation` takes it.
  var title: String {
    let converts = operation == .convert || operation == .convertFile
    let target = converts ? " to \(format.other.rawValue)" : ""
    return "\(operation.rawValue) \(format.rawValue)\(target), \(size.rawValue)"
  }

  /// Whether it is measured when no sizes are asked for: 5 MB only shows how writing binary grows.
  var isStandard: Bool {
    size != .megabytes5 || (operation == .write && format == .binary)
  }

  /// Whether libplist has to write a large binary file, for which its time grows with the square.
  var isQuadraticForLibPlist: Bool {
    guard size == .megabytes50 else { return false }
    return switch operation {
    case .parse, .lint: false
    case .write, .edit: format == .binary
    case .convert, .convertFile: format == .xml
    }
  }
}
