internal import CPeers

/// libxml2's SAX2 interface with callbacks that only count: the least that a reader over it costs.
struct SAX2Contestant: Contestant {
  let name = "sax2"
  let version: String? = "libxml2 " + String(cString: peer_libxml2_version())

  func entry(for cell: Cell, input: Input) throws -> Entry? {
    guard cell.operation == .parse, cell.format == .xml else { return nil }
    return .measured {
      try Sample.timing(cell, expecting: input.elements) {
        input.xml.bytes.withUnsafeBytes { bytes in
          peer_sax2_pass(
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
      }
    }
  }
}

/// libplist, the usual reader of property lists on Linux.
struct LibPlistContestant: Contestant {
  let name = "libplist"

  var version: String? {
    Programs.path(of: "pkg-config").flatMap {
      Programs.output(of: [$0, "--modversion", "libplist-2.0"])
    }
  }

  func entry(for cell: Cell, input: Input) throws -> Entry? {
    guard !cell.operation.isProcess else { return nil }
    guard peer_has_libplist() else { return .skipped("not installed") }
    if cell.isQuadraticForLibPlist { return .skipped("quadratic: 40 s") }
    let bytes = input.bytes(cell.format)
    switch cell.operation {
    case .write:
      let tree = try LibPlistTree(bytes, cell.format)
      return .measured { try Sample.timing(cell) { tree.write(cell.format) } }
    case .edit:
      return .measured {
        try Sample.timing(cell) {
          let tree = try LibPlistTree(bytes, cell.format)
          tree.set(InputGenerator.editedKey, to: "1043")
          return tree.write(cell.format)
        }
      }
    case .convert:
      return .measured {
        try Sample.timing(cell) { try LibPlistTree(bytes, cell.format).write(cell.format.other) }
      }
    case .parse, .lint, .convertFile:
      return .measured {
        try Sample.timing(cell, expecting: input.rootCount) {
          try LibPlistTree(bytes, cell.format).count
        }
      }
    }
  }
}

/// One owner of a tree of libplist.
private final class LibPlistTree {
  private let tree: UnsafeMutableRawPointer

  init(_ bytes: [UInt8], _ format: Format) throws {
    let tree = bytes.withUnsafeBytes { bytes in
      peer_plist_parse(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(bytes.count),
        format.ofPeers)
    }
    guard let tree else { throw BenchmarkError("libplist does not read its input") }
    self.tree = tree
  }

  deinit { peer_plist_free(tree) }

  var count: Int { Int(peer_plist_count(tree)) }

  func set(_ key: String, to value: String) { peer_plist_set(tree, key, value) }

  /// The size of what it writes.
  func write(_ format: Format) -> Int { Int(peer_plist_write(tree, format.ofPeers)) }
}

extension Format {
  fileprivate var ofPeers: peer_format { self == .xml ? PEER_XML : PEER_BINARY }
}
