internal import Foundation

/// Foundation's PropertyListSerialization, of the dynamic library: linked statically it fails to write
/// arrays on Linux.
struct FoundationContestant: Contestant {
  let name = "foundation"

  var version: String? {
    Programs.path(of: "swift").flatMap { Programs.output(of: [$0, "--version"]) }
  }

  func entry(for cell: Cell, input: Input) throws -> Entry? {
    guard !cell.operation.isProcess else { return nil }
    let data = Data(input.bytes(cell.format))
    switch cell.operation {
    case .write:
      let root = try Self.read(data)
      return .measured { try Sample.timing(cell) { try Self.write(root, cell.format) } }
    case .edit:
      return .measured {
        try Sample.timing(cell) {
          var root = try Self.read(data)
          root[InputGenerator.editedKey] = "1043"
          return try Self.write(root, cell.format)
        }
      }
    case .convert:
      return .measured {
        try Sample.timing(cell) { try Self.write(Self.read(data), cell.format.other) }
      }
    case .parse, .lint, .convertFile:
      return .measured {
        try Sample.timing(cell, expecting: input.rootCount) { try Self.read(data).count }
      }
    }
  }

  private static func read(_ data: Data) throws -> [String: Any] {
    let root = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    guard let root = root as? [String: Any] else {
      throw BenchmarkError("Foundation does not read its input")
    }
    return root
  }

  /// The size of what it writes.
  private static func write(_ root: [String: Any], _ format: Format) throws -> Int {
    try PropertyListSerialization.data(
      fromPropertyList: root, format: format == .xml ? .xml : .binary, options: 0
    ).count
  }
}
