internal import ATSMerge

/// A command line taken apart by a table of options.
struct ParsedArguments: Sendable {
  /// What is no option, in its order.
  private(set) var positional: [String] = []
  /// Those of them that stand behind `--`.
  private(set) var behindDashes: [String] = []
  private var values: [String: [String]] = [:]

  /// Takes a command line apart.
  ///
  /// Options stand anywhere, as `--name value`, `--name=value`, `-x value` or `-xvalue`; `--` ends
  /// them; names are exact.
  init(_ arguments: [String], options: [Option]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        positional += rest
        behindDashes = Array(rest)
        break
      }
      guard argument.hasPrefix("-"), argument.count > 1 else {
        positional.append(argument)
        continue
      }
      let (option, inlineValue) = try Self.option(for: argument, in: options)
      let given = values[option.name] ?? []
      guard given.isEmpty || option.isRepeatable || option.value == nil else {
        throw UsageError("\(option.name) is given twice")
      }
      guard let valueName = option.value else {
        guard inlineValue == nil else { throw UsageError("\(option.name) takes no value") }
        values[option.name] = [""]
        continue
      }
      guard let value = inlineValue ?? rest.popFirst() else {
        throw UsageError("\(option.name) needs a value: \(option.name) \(valueName)")
      }
      guard option.choices.isEmpty || option.choices.contains(value) else {
        throw UsageError(
          "\(option.name) is '\(value)', not one of "
            + option.choices.joined(separator: ", "))
      }
      values[option.name] = given + [value]
    }
  }

  /// The same command line with other arguments, and with some options of one value set.
  func replacing(positional: [String], values: [String: String]) -> ParsedArguments {
    var copy = self
    copy.positional = positional
    for (name, value) in values { copy.values[name] = [value] }
    return copy
  }

  /// The same command line without some options.
  func removing(_ names: some Sequence<String>) -> ParsedArguments {
    var copy = self
    for name in names { copy.values[name] = nil }
    return copy
  }

  /// Whether a flag is given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Whether one of some options is given, those with `=` and a value with that value.
  func hasAny(of spellings: [String]) -> Bool {
    spellings.contains { spelling in
      let parts = spelling.split(separator: "=", maxSplits: 1).map(String.init)
      return parts.count == 2 ? self[parts[0]] == parts[1] : has(spelling)
    }
  }

  /// The value of an option that is given at most once.
  subscript(name: String) -> String? { values[name]?.last }

  /// The values of a repeatable option.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  private static func option(
    for argument: String, in options: [Option]
  ) throws(UsageError) -> (Option, value: String?) {
    if argument.hasPrefix("--") {
      let name = String(argument.prefix { $0 != "=" })
      let value = name.count < argument.count ? String(argument.dropFirst(name.count + 1)) : nil
      if let option = options.first(where: { $0.name == name }) { return (option, value) }
      let begun = options.filter { name.count > 3 && $0.name.hasPrefix(name) }
      let near =
        begun.count == 1
        ? begun[0].name : Spelling.nearest(to: name, in: options.map(\.name))
      throw UsageError(
        "unknown option '\(name)'",
        hint: near.map { "did you mean \($0)?" })
    }
    let letter = argument[argument.index(after: argument.startIndex)]
    guard let option = options.first(where: { $0.short == letter }) else {
      let long = options.first { $0.name == "-\(argument)" }
      throw UsageError(
        "unknown option '\(long == nil ? "-\(letter)" : argument)'",
        hint: long.map { "did you mean \($0.name)?" })
    }
    let value = argument.dropFirst(2)
    return (option, value.isEmpty ? nil : String(value.hasPrefix("=") ? value.dropFirst() : value))
  }
}
