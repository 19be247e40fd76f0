import Testing

@testable import PlistKit

/// One file a case, made by hand outside the package, with the verdict that Core Foundation's rules
/// come to.
@Suite(.enabled(if: SharedFiles.root != nil, "the edge files are not on this machine"))
struct BinaryEdgeFilesTests {
  static let refused: [String: PlistError.Code] = [
    "256objs_rsz1": .malformed, "arr_len_huge": .truncated, "count_int_nonint": .malformed,
    "cycle_dict": .badReference, "cycle_self": .badReference, "depth200k": .limit,
    "depth600": .limit, "dict_arrkey": .malformed, "dict_dup": .duplicateKey,
    "dict_dup2objs": .duplicateKey, "dict_intkey": .malformed, "dict_nullkey": .malformed,
    "empty": .truncated, "fill": .malformed, "int256": .malformed,
    "junk_after_offtab": .trailingBytes, "len_huge": .truncated, "len_over_end": .truncated,
    "num0": .malformed, "num_huge": .limit, "num_less_than_objs": .trailingBytes,
    "offset_in_hdr": .badReference, "offset_oob": .badReference, "ordset": .malformed,
    "osz0": .malformed, "overlap_obj": .malformed, "real16": .malformed,
    "ref_oob": .badReference, "trailing_junk": .malformed, "trunc": .malformed,
    "uid8_big": .malformed, "url": .malformed, "utf8str": .malformed, "utf8str_3": .malformed,
    "uuid": .malformed, "version10": .unknownFormat, "version15": .unknownFormat,
    "version16": .unknownFormat,
  ]

  static let files = SharedFiles.names(in: "plists/edge").filter { $0.hasPrefix("b_") }

  @Test(arguments: files) func hasItsVerdict(_ file: String) throws {
    let bytes = try SharedFiles.bytes("plists/edge/" + file)
    let name = String(file.dropFirst(2).dropLast(6))
    #expect(code(reading: bytes) == Self.refused[name])
    if Self.refused[name] == nil {
      #expect(try PlistDocument(parsing: bytes).serialized() == bytes)
    }
  }

  @Test func allAreThere() {
    #expect(Self.files.count > 80)
    #expect(
      Set(Self.refused.keys).isSubset(
        of: Self.files.map { $0.dropFirst(2).dropLast(6) }.map(String.init)))
  }

  static let collected: [String] = [
    "cpython", "node-bplist-parser", "rust-plist", "swift-foundation",
  ]
  .flatMap { folder in SharedFiles.names(in: "plists/\(folder)").map { "\(folder)/\($0)" } }

  /// Files of other projects: none may crash, all that read keep their bytes.
  @Test(arguments: collected) func survives(_ file: String) throws {
    let bytes = try SharedFiles.bytes("plists/" + file)
    guard bytes.starts(with: "bplist".utf8) else { return }
    guard let document = try? PlistDocument(parsing: bytes) else {
      #expect(code(reading: bytes) != nil)
      return
    }
    #expect(try document.serialized() == bytes)
  }
}
