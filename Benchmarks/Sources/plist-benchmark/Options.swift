/// The command line.
struct Options {
  /// Nil for the standard ones.
  var sizes: Set<Size>?
  var operations = Set(Operation.allCases)
  var formats = Set(Format.allCases)
  /// Names of peers, nil for all.
  var peers: Set<String>?
  var seconds = 2.0
  var clock = Clock.wall
  /// Where the report goes for programs.
  var json: String?
  /// Whether a missed bar is a failure.
  var checksBars = false
  /// The binary of ipa-inject.
  var tool = Package.path("../.build/release/ipa-inject")
  var wantsHelp = false

  static let help = """
    usage: make bench-plist [ARGS='OPTION…']

      --size 4k,1m,5m,50m      of the XML (all; 5m only to write binary)
      --operation NAME,…       parse, write, edit, convert in the process, and of whole programs
                               lint, convert-file (all)
      --format xml,binary      the one that is read, or written by 'write' (both)
      --peer NAME,…            sax2, libplist, foundation, plistlib, plutil, plistutil (all)
      --seconds N              to measure each row for; at least 5 runs, fewer only where they
                               take 4 N (2)
      --clock wall|cpu         what the report goes by; cpu, the processor time, is steadier where
                               other work runs beside (wall)
      --json FILE              the report for programs
      --check                  status 1 where a bar is missed
      --tool FILE              the binary of ipa-inject (that of 'make release')
    """

  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let option = rest.next() {
      func value() throws -> String {
        guard let value = rest.next() else { throw UsageError("\(option) wants a value") }
        return value
      }
      switch option {
      case "--help", "-h": wantsHelp = true
      case "--check": checksBars = true
      case "--json": json = try value()
      case "--tool": tool = try value()
      case "--size": sizes = try Self.choices(try value(), of: option)
      case "--operation": operations = try Self.choices(try value(), of: option)
      case "--format": formats = try Self.choices(try value(), of: option)
      case "--clock": clock = try Self.choice(try value(), of: option)
      case "--peer": peers = Set(try value().split(separator: ",").map(String.init))
      case "--seconds":
        guard let number = Double(try value()), number > 0 else {
          throw UsageError("--seconds wants a number above 0")
        }
        seconds = number
      default: throw UsageError("unknown option \(option); --help lists them")
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
      throw UsageError("\(option) does not know '\(text)'")
    }
    return choice
  }

  /// The cells in the order of the report.
  var cells: [Cell] {
    Operation.allCases.filter(operations.contains).flatMap { operation in
      Format.allCases.filter(formats.contains).flatMap { format in
        Size.allCases.map { Cell(operation, format, $0) }
          .filter { sizes?.contains($0.size) ?? $0.isStandard }
      }
    }
  }
}

/// A command line that says nothing sensible.
struct UsageError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
