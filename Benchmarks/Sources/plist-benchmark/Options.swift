/// The command line.
struct Options {
  var sizes: Set<Size> = [.kilobytes4, .megabyte1, .megabytes50]
  var operations = Set(Operation.allCases)
  var formats = Set(Format.allCases)
  /// Names of peers, nil for all.
  var peers: Set<String>?
  var seconds = 2.0
  var clock = Clock.wall
  var wantsHelp = false

  static let help = """
    usage: make bench-plist [ARGS='OPTION…']

      --size 4k,1m,5m,50m        of the XML; all but 5m without it
      --operation parse,write,edit,convert
      --format xml,binary        the one that is read, or only written
      --peer NAME,…              beside PlistKit: sax2, libplist
      --seconds N                to measure each row for, and at least 5 runs (2)
      --clock wall|cpu           cpu is steadier where other work runs beside (wall)
    """

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      if option == "--help" || option == "-h" {
        wantsHelp = true
        return
      }
      func value() throws -> String {
        guard let value = rest.next() else { throw BenchmarkError("\(option) wants a value") }
        return value
      }
      switch option {
      case "--size": sizes = try Self.choices(try value(), of: option)
      case "--operation": operations = try Self.choices(try value(), of: option)
      case "--format": formats = try Self.choices(try value(), of: option)
      case "--clock": clock = try Self.choice(try value(), of: option)
      case "--peer": peers = Set(try value().split(separator: ",").map(String.init))
      case "--seconds":
        guard let number = Double(try value()), number > 0 else {
          throw BenchmarkError("--seconds wants a number above 0")
        }
        seconds = number
      default: throw BenchmarkError("unknown option \(option); --help lists them")
      }
    }
  }

  private static func choices<Choice: RawRepresentable & Hashable>(
    _ text: String, of option: String
  ) throws -> Set<Choice> where Choice.RawValue == String {
    Set(try text.split(separator: ",").map { try choice(String($0), of: option) })
  }

  private static func choice<Choice: RawRepresentable>(
    _ text: String, of option: String
  ) throws -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: text) else {
      throw BenchmarkError("\(option) does not know '\(text)'")
    }
    return choice
  }

  /// The cells in the order of the report.
  var cells: [Cell] {
    Operation.allCases.filter(operations.contains).flatMap { operation in
      Format.allCases.filter(formats.contains).flatMap { format in
        Size.allCases.filter(sizes.contains).map { size in
          Cell(operation: operation, format: format, size: size)
        }
      }
    }
  }
}
