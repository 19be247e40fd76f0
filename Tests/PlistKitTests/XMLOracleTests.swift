import Foundation
import Testing

@testable import PlistKit

/// What Python's plistlib says about a file.
private struct PythonReading {
  let name: String
  let bytes: [UInt8]
  /// nil where Python refuses the file.
  let canonical: String?

  /// Reads lines of name, base 64 of the bytes, and the canonical value or `-`.
  static func all(_ script: String, _ arguments: [String]) throws -> [PythonReading] {
    let output = try OtherReaders.output(
      of: OtherReaders.python, ["-c", XMLOracle.canonicalScript + script] + arguments)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 3, let data = Data(base64Encoded: fields[1]) else { return nil }
      return PythonReading(
        name: fields[0], bytes: Array(data), canonical: fields[2] == "-" ? nil : fields[2])
    }
  }
}

@Suite struct XMLOracleTests {
  private static let report = """
    sys.setrecursionlimit(4000)
    def report(name, data):
        start = data[3:] if data[:3] == b'\\xef\\xbb\\xbf' else data
        if data[:6] == b'bplist' or not start.replace(b'\\0', b'').lstrip(b'\\xff\\xfe \\t\\r\\n').startswith(b'<'):
            return
        try: value = canonical(plistlib.loads(data, fmt=plistlib.FMT_XML))
        except Exception: value = '-'
        print(name, base64.b64encode(data).decode(), value, sep='\\t')

    """

  /// Files that Python reads and we refuse, as Apple's reader does unless a reason is given.
  private static let refused: Set<String> = [
    "x_2p64", "x_below_int64min", "x_int_ws", "x_int_ent", "x_real_ws", "x_str_nbsp_ent",
    "x_str_ent_long0", "x_TRUE", "x_true_text", "x_true_ws", "x_unknown", "x_null", "x_set",
    "x_text_in_dict", "x_text_in_array", "x_two_roots", "x_no_root", "x_nswrap", "x_depth600",
    "x_data_selfclose",
    // A duplicate key, which Apple's reader lets pass.
    "x_dup", "empty_keys", "s11",
  ]

  /// Files that both read, and we otherwise: as Apple's reader does.
  private static let different: Set<String> = [
    // Padding within base 64, after which Python takes nothing or counts on.
    "x_data_midpad", "clusterfuzz-testcase-4663876528373760",
    // A reference of an archive, which is no dictionary here.
    "x_uid_neg",
  ]

  @Test(.enabled(if: OtherReaders.python != nil && SharedFiles.root != nil))
  func agreesWithPythonOnCollectedFiles() throws {
    let folder = try #require(SharedFiles.root) + "/plists"
    let readings = try PythonReading.all(
      Self.report + """
        for root, _, names in os.walk(sys.argv[1]):
            for name in sorted(names):
                path = os.path.join(root, name)
                report(os.path.relpath(path, sys.argv[1]), open(path, 'rb').read())
        """, [folder])
    #expect(readings.count > 100)
    var agreed = 0
    for reading in readings {
      let stem = String(reading.name.split(separator: "/").last?.split(separator: ".").first ?? "")
      guard let document = try? PlistDocument(parsing: reading.bytes) else {
        #expect(
          reading.canonical == nil || Self.refused.contains(stem),
          "\(reading.name) is refused, and Python reads it")
        continue
      }
      #expect(try document.serialized() == reading.bytes, "\(reading.name)")
      guard let canonical = reading.canonical, !Self.different.contains(stem) else { continue }
      #expect(document.root.canonicalText == canonical, "\(reading.name)")
      agreed += 1
    }
    #expect(agreed > 60)
  }

  @Test(.enabled(if: OtherReaders.python != nil && SharedFiles.root != nil))
  func agreesWithPythonOnInfoPlistsOfApps() throws {
    let folder = try #require(SharedFiles.root) + "/ipas"
    let readings = try PythonReading.all(
      Self.report + """
        for name in sorted(os.listdir(sys.argv[1])):
            path = os.path.join(sys.argv[1], name)
            if not zipfile.is_zipfile(path): continue
            with zipfile.ZipFile(path) as archive:
                for member in archive.namelist():
                    if member.endswith('.plist') or member.endswith('CodeResources'):
                        report(name + ':' + member, archive.read(member))
        """, [folder])
    #expect(readings.count > 5)
    for reading in readings {
      let document = try PlistDocument(parsing: reading.bytes)
      #expect(document.root.canonicalText == reading.canonical, "\(reading.name)")
      #expect(try document.serialized() == reading.bytes, "\(reading.name)")
    }
  }
}
