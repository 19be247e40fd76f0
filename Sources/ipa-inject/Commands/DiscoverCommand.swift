internal import NetDiscovery

/// Lists the addresses at which a device can reach this machine.
struct DiscoverCommand: Command {
  static let name = "discover"
  static let summary = "list the addresses at which a device can reach this machine"
  static let usage = ["[options]"]
  static let discussion = """
    Prints one destination a line, in the order in which 'inject' would embed them. Loopback, \
    link-local, unspecified and multicast addresses are left out, and so is what the listener is not \
    bound to; addresses of container and virtual-machine bridges come last.
    """
  static let options = [
    OptionGroup(
      "Options",
      [
        .flag("--all", "also list every address left out, with the reason"),
        .value(
          "--capture", "DIR",
          "write interfaces.json, and tailscale.json where it is known, for a later run "
            + "or a report"),
      ]),
    DestinationOptions.listenerGroup, DestinationOptions.machineGroup,
  ]

  private let sources: DestinationOptions
  private let listsAll: Bool
  private let captureFolder: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    _ = try Self.arguments(arguments, [])
    sources = try DestinationOptions(arguments)
    listsAll = arguments.has("--all")
    captureFolder = arguments["--capture"]
    if captureFolder == "" { throw UsageError("--capture is empty") }
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let listener = try sources.listener(in: environment)
    let (snapshot, tailscale) = try sources.lookAtMachine(for: listener, in: environment)
    let paths = try captureFolder.map { folder throws(Failure) in
      try DestinationOptions.capture(snapshot, tailscale: tailscale, to: folder)
    }
    return DiscoverReport(
      listener: listener, selection: try sources.select(from: snapshot, listener),
      listsAll: listsAll, capturedPaths: paths ?? [])
  }
}

/// What discovery found.
struct DiscoverReport: Report {
  let listener: Listener
  let selection: Selection
  let listsAll: Bool
  /// The files in which what the machine said was kept.
  let capturedPaths: [String]

  var notes: [String] { capturedPaths.map { "\($0) is written" } }

  var status: ExitStatus { selection.destinations.isEmpty ? .unavailable : .success }

  var warnings: [String] { selection.warnings }

  var failure: String? {
    guard selection.destinations.isEmpty else { return nil }
    let reasons =
      listsAll || selection.excluded.isEmpty ? "" : " (--all says what is left out and why)"
    return "no address of this machine can be reached by a device" + reasons
  }

  var json: JSONValue {
    [
      "schema": "ipa-inject/discover/1",
      "listener": [
        "host": .string(listener.host), "port": .integer(Int64(listener.port)),
        "hostFrom": .string(listener.hostFrom.rawValue),
        "portFrom": .string(listener.portFrom.rawValue),
      ],
      "destinations": .array(
        selection.offers.map { offer in
          let destination = offer.destination
          return [
            "host": .string(destination.host.description),
            "port": .integer(Int64(destination.port)), "kind": .string(destination.kind.rawValue),
            "interface": .optional(destination.interface), "why": .string(offer.why),
          ]
        }),
      "excluded": .array(
        selection.excluded.map { excluded in
          [
            "address": .string(excluded.address), "interface": .optional(excluded.interface),
            "reason": .string(excluded.reason.rawValue),
          ]
        }),
    ]
  }

  func text(_ style: Style) -> String {
    let found = selection.offers.map { offer in
      let destination = offer.destination
      return [
        destination.origin, destination.kind.rawValue, (destination.interface ?? "-").printable,
        offer.why,
      ]
    }
    var lines = TextTable(rows: found).lines().map(\.trimmedEnd)
    if listsAll && !selection.excluded.isEmpty {
      lines += ["", style.bold("Left out")]
      lines += TextTable(
        rows: selection.excluded.map {
          [
            $0.address.printable, $0.reason.rawValue, ($0.interface ?? "-").printable,
            $0.reason.explanation,
          ]
        }
      ).lines(indent: 2).map(\.trimmedEnd)
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension String {
  /// The text without blanks at its end.
  var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
