internal import PlistKit

/// PlistKit itself.
struct PlistKitContestant: Contestant {
  let name = "PlistKit"

  var version: String? {
    Programs.path(of: "git").flatMap {
      Programs.output(of: [$0, "-C", Package.path(".."), "describe", "--always", "--dirty"])
    }
  }

  func entry(for cell: Cell, input: Input) throws -> Entry? {
    let bytes = input.bytes(cell.format)
    switch cell.operation {
    case .parse:
      return .measured {
        try Sample.timing(cell, expecting: input.rootCount) {
          try PlistDocument(parsing: bytes).root.dictionary?.count ?? 0
        }
      }
    case .write:
      let root = try PlistDocument(parsing: bytes).root
      return .measured {
        try Sample.timing(cell) {
          try PlistDocument(root: root, format: cell.format.ofPlistKit).serialized().count
        }
      }
    case .edit:
      let path = PlistKeyPath(keys: InputGenerator.editedKey)
      // The new value is as long as the old one, and an edit of XML leaves the rest as it is.
      let size = cell.format == .xml ? bytes.count : nil
      return .measured {
        try Sample.timing(cell, expecting: size) {
          var document = try PlistDocument(parsing: bytes)
          document.root = try document.root.setting("1043", at: path)
          return try document.serialized().count
        }
      }
    case .convert:
      return .measured {
        try Sample.timing(cell) {
          let root = try PlistDocument(parsing: bytes).root
          return try PlistDocument(root: root, format: cell.format.other.ofPlistKit)
            .serialized().count
        }
      }
    case .lint, .convertFile: return nil
    }
  }
}

/// PlistKit's parse with a walk over every value, so that nothing it might leave for later is free.
struct WalkingContestant: Contestant {
  let name = "PlistKit+walk"
  let version: String? = nil

  func entry(for cell: Cell, input: Input) throws -> Entry? {
    guard cell.operation == .parse else { return nil }
    let bytes = input.bytes(cell.format)
    return .measured {
      try Sample.timing(cell, expecting: input.values) {
        try PlistDocument(parsing: bytes).root.valueCount
      }
    }
  }
}

extension Format {
  fileprivate var ofPlistKit: PlistFormat { self == .xml ? .xml : .binary }
}
