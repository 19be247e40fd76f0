internal import AppBundle

/// The inputs of a batch, and where what comes of them goes.
enum BatchInputs {
  /// Bytes that a list of inputs may have.
  private static let listLimit = 256 << 20

  /// The paths of a list: one a line, whatever they hold, or each up to a zero byte.
  static func read(_ list: String, isNullSeparated: Bool) throws(Failure) -> [String] {
    let bytes =
      list == "-"
      ? try InputFile.readStandardInput(limit: listLimit)
      : try InputFile.read(list, limit: listLimit)
    return try paths(
      in: bytes, separator: isNullSeparated ? 0 : UInt8(ascii: "\n"),
      of: list == "-" ? "standard input" : list)
  }

  /// The paths in a list's bytes. The last may do without its separator.
  ///
  /// A list of which every line ends as on Windows has no carriage returns in its paths; in any other one
  /// they are part of the names.
  static func paths(
    in bytes: [UInt8], separator: UInt8, of list: String
  ) throws(Failure) -> [String] {
    var parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
    // What stands behind the last separator, which ends no line.
    let rest = parts.popLast() ?? []
    let carriageReturn = UInt8(ascii: "\r")
    if separator != 0, !parts.isEmpty, parts.allSatisfy({ $0.last == carriageReturn }) {
      parts = parts.map { $0.dropLast() }
    }
    if !rest.isEmpty { parts.append(rest) }
    var paths: [String] = []
    paths.reserveCapacity(parts.count)
    for (index, part) in parts.enumerated() {
      let problem: String
      if part.isEmpty {
        problem = "the path is empty"
      } else if separator != 0, part.contains(0) {
        problem = "the path holds a zero byte"
      } else if let path = String(validating: part, as: UTF8.self) {
        paths.append(path)
        continue
      } else {
        problem = "the path is no UTF-8, and such paths are not taken"
      }
      throw Failure(
        code: "inputList", status: .badInput, message: problem, file: list,
        place: "\(separator == 0 ? "path" : "line") \(index + 1)",
        hint: separator != 0 && part.contains(0) ? "--null is for such lists" : nil)
    }
    return paths
  }

  /// The last part of a path, nil where that is no name.
  static func name(of path: String) -> String? {
    let slash = UInt8(ascii: "/")
    let part = path.utf8.split(separator: slash).last.map { String(decoding: $0, as: UTF8.self) }
    return part == "." || part == ".." ? nil : part
  }

  /// Where an input of some name has its file in a folder.
  static func path(of name: String, in folder: String, _ kind: BatchFolder) -> String {
    folder + (folder.utf8.last == UInt8(ascii: "/") ? "" : "/") + name + kind.suffix
  }

  /// Sees to it that no two inputs write the same file, by whatever path they name it. Names that differ
  /// in case or Unicode form alone count as the same: many file systems take them for one.
  static func check(
    _ paths: [String], folders: [(BatchFolder, String)], isInPlace: Bool
  ) throws(Failure) {
    var owners: [String: String] = [:]
    for path in paths {
      // One that leads nowhere stands for itself; its own run will say so.
      var targets = isInPlace ? [realPath(path) ?? path] : []
      if !folders.isEmpty {
        guard let name = name(of: path) else {
          throw .usage(UsageError("'\(path)' has no name of its own to give to a result"))
        }
        targets += folders.filter(\.0.isWritten).map {
          Self.path(of: name, in: $0.1, $0.0).lowercased()
        }
      }
      for target in targets {
        guard let other = owners.updateValue(path, forKey: target) else { continue }
        throw .usage(clash(of: path, with: other, isOneFile: isInPlace && target == targets[0]))
      }
    }
  }

  private static func clash(
    of path: String, with other: String, isOneFile: Bool
  ) -> UsageError {
    if other == path { return UsageError("'\(path)' is given twice") }
    if isOneFile { return UsageError("'\(other)' and '\(path)' are one file") }
    return UsageError(
      "the results of '\(other)' and '\(path)' would fall on one another",
      hint: "give them other names, or run two batches")
  }
}
