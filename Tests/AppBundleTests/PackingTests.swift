import Foundation
import Testing

@testable import AppBundle

@Suite struct PackingTests {
  /// Prints a line for each member of an archive: name bytes, mode, time in seconds, method, content.
  private static let listing = """
    import hashlib, struct, sys, time, zipfile
    def seconds(item):
        extra = item.extra
        while len(extra) >= 4:
            kind, length = struct.unpack('<HH', extra[:4])
            if kind == 0x5455 and extra[4] & 1: return struct.unpack('<i', extra[5:9])[0]
            extra = extra[4 + length:]
        return int(time.mktime(item.date_time + (0, 0, -1)))
    z = zipfile.ZipFile(sys.argv[1])
    assert z.testzip() is None
    for i in z.infolist():
        name = i.filename.encode('utf-8' if i.flag_bits & 0x800 else 'cp437')
        print(name, oct(i.external_attr >> 16), seconds(i), i.compress_type,
              hashlib.sha256(z.read(i)).hexdigest())
    """

  private static func list(_ path: String) throws -> [String] {
    let result = try Tool.python(listing, [path])
    try #require(result.status == 0, "\(result.output)")
    return result.output.split(separator: "\n").map(String.init)
  }

  private static func directory(of path: String) throws -> CentralDirectory {
    let archive = try ArchiveFile(Application.inputFile(path), limits: .standard)
    return try #require(archive).directory
  }

  /// A folder with all that is to be kept.
  private static func makeFolder(_ place: Workplace, _ name: String) throws {
    let app = "\(name)/Payload/Demo.app"
    try Sample.folder(place, app)
    try place.write("\(app)/sub.txt", "sorts before what sub holds".utf8)
    try place.write("\(app)/empty", [])
    try place.write("\(app)/naïve 文 e\u{301}", "text".utf8, mode: 0o600)
    try place.write("\(app)/line\nfeed", "text".utf8)
    try place.write("\(name)/Symbols/a.symbols", "text".utf8)
    try place.write("\(name)/.hidden", "text".utf8)
    try place.link("\(name)/dangling", to: "nowhere")
    let tree = place.at(name)
    for (index, path) in try FileManager.default.subpathsOfDirectory(atPath: tree).enumerated() {
      let moment = "1999-12-31 23:59:\(10 + index)"
      _ = try Tool.run(["touch", "-h", "-d", moment, "\(tree)/\(path)"])
    }
    _ = try Tool.run(["chmod", "555", "\(tree)/Symbols"])
  }

  @Test(.enabled(if: Tool.hasPython)) func roundTripOfAFolder() throws {
    let place = try Workplace()
    try Self.makeFolder(place, "a")
    let summary = try Packing.pack(place.at("a"), to: Packing.Output(place.at("a.ipa")))
    let members = try Self.list(place.at("a.ipa"))
    #expect(summary.entries == members.count && summary.warnings == [])
    #expect(UInt64(try place.read("a.ipa").count) == summary.bytes)
    _ = try Packing.unpack(place.at("a.ipa"), to: Packing.Output(place.at("b")))
    #expect(
      try Tool.run(["diff", "-r", "--no-dereference", place.at("a"), place.at("b")]).status == 0)
    _ = try Packing.pack(place.at("b"), to: Packing.Output(place.at("b.ipa")))
    #expect(try Self.list(place.at("b.ipa")) == members)
    #expect(try place.read("a.ipa") == place.read("b.ipa"))
  }

  @Test(.enabled(if: Tool.hasPython && Tool.exists("zip"))) func roundTripOfAnotherToolsArchive()
    throws
  {
    let place = try Workplace()
    try Self.makeFolder(place, "a")
    // Info-ZIP replaces a line feed in a name.
    try FileManager.default.removeItem(atPath: place.at("a/Payload/Demo.app/line\nfeed"))
    let zip = try Tool.run(["sh", "-c", "cd '\(place.at("a"))' && zip -qry ../a.ipa ."])
    try #require(zip.status == 0, "\(zip.output)")
    _ = try Packing.unpack(place.at("a.ipa"), to: Packing.Output(place.at("b")))
    _ = try Packing.pack(place.at("b"), to: Packing.Output(place.at("b.ipa")))
    func withoutMethods(_ lines: [String]) -> Set<[Substring]> {
      Set(lines.map { $0.split(separator: " ").dropLast(2) + $0.split(separator: " ").suffix(1) })
    }
    #expect(
      try withoutMethods(Self.list(place.at("b.ipa")))
        == withoutMethods(Self.list(place.at("a.ipa"))))
  }

  @Test func orderIsThatOfPathBytes() throws {
    let place = try Workplace()
    try Self.makeFolder(place, "a")
    _ = try Packing.pack(place.at("a"), to: Packing.Output(place.at("a.ipa")))
    let names = try Application.open(place.at("a.ipa")).members.map(\.name)
    #expect(names == names.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(Set(names).count == names.count)
  }

  @Test func reproducible() throws {
    let place = try Workplace()
    try Self.makeFolder(place, "a")
    var options = PackingOptions()
    options.attributes = .reproducible(seconds: 1_700_000_001)
    func pack(_ name: String) throws -> [UInt8] {
      let output = Packing.Output(place.at("\(name).ipa"))
      _ = try Packing.pack(place.at(name), to: output, options: options)
      return try place.read("\(name).ipa")
    }
    let first = try pack("a")
    // The same content, made in another order, with other times and modes.
    let copy = try Tool.run(["cp", "-RP", place.at("a"), place.at("b")])
    try #require(copy.status == 0, "\(copy.output)")
    for path in ["Payload/Demo.app/Info.plist", "Payload/Demo.app/sub/z.txt"] {
      let bytes = try place.read("b/\(path)")
      try FileManager.default.removeItem(atPath: place.at("b/\(path)"))
      try place.write("b/\(path)", bytes, mode: 0o660)
    }
    _ = try Tool.run(["chmod", "700", place.at("b/Payload"), place.at("b/Payload/Demo.app/Demo")])
    #expect(try pack("b") == first)
    let directory = try Self.directory(of: place.at("a.ipa"))
    let (records, bytes) = (directory.records, directory.bytes)
    let modes = Set(records.map(\.mode))
    #expect(modes == [0o040755, 0o100755, 0o100644, 0o120755])
    // 2023-11-14 22:13:20 in UTC, in steps of two seconds.
    #expect(records.allSatisfy { bytes.uint16(at: $0.start + 12) == 22 << 11 | 13 << 5 | 10 })
    #expect(records.allSatisfy { bytes.uint16(at: $0.start + 14) == 43 << 9 | 11 << 5 | 14 })
    #expect(records.allSatisfy { $0.extraLength == 0 })
    // What may be executed is content.
    _ = try Tool.run(["chmod", "+x", place.at("b/Payload/Demo.app/empty")])
    _ = try Tool.run(["rm", place.at("b.ipa")])
    #expect(try pack("b") != first)
  }

  struct Fixed: NamedRow {
    let name: String
    let seconds: Int64
    let wanted: DOSTime
  }

  @Test(arguments: [
    Fixed(
      name: "first", seconds: PackingOptions.earliestSeconds,
      wanted: DOSTime(time: 0, date: 1 << 5 | 1)),
    Fixed(name: "too early", seconds: 0, wanted: DOSTime(time: 0, date: 1 << 5 | 1)),
    Fixed(
      name: "last", seconds: 4_354_819_199,
      wanted: DOSTime(time: 23 << 11 | 59 << 5 | 29, date: 127 << 9 | 12 << 5 | 31)),
    Fixed(
      name: "too late", seconds: 4_354_819_200,
      wanted: DOSTime(time: 23 << 11 | 59 << 5 | 29, date: 127 << 9 | 12 << 5 | 31)),
  ])
  func fixedTimes(_ row: Fixed) { #expect(DOSTime(utcSeconds: row.seconds) == row.wanted) }

  /// A folder that is packed, and the first two members of the archive.
  struct Layout: NamedRow {
    let name: String
    let files: [String]
    var app: String?
    let input: String
    let wanted: [String]
  }

  @Test(arguments: [
    Layout(
      name: "Payload and more", files: ["p/Payload/A.app/A", "p/Symbols/x"], input: "p",
      wanted: ["Payload", "Payload/A.app"]),
    Layout(
      name: "several apps", files: ["p/Payload/A.app/A", "p/Payload/B.app/B"], input: "p",
      wanted: ["Payload", "Payload/A.app"]),
    Layout(
      name: "app without Info.plist", files: ["A.app/A"], input: "A.app",
      wanted: ["Payload", "Payload/A.app", "Payload/A.app/A"]),
    Layout(
      name: "deep app", files: ["A.app/Contents/Info.plist"], input: "A.app",
      wanted: ["Payload", "Payload/A.app", "Payload/A.app/Contents"]),
    Layout(
      name: "app of another name", files: ["build/Info.plist"], input: "build",
      wanted: ["Payload", "Payload/build.app", "Payload/build.app/Info.plist"]),
    Layout(
      name: "xcarchive",
      files: ["x.xcarchive/Products/Applications/A.app/A", "x.xcarchive/dSYMs/x"],
      input: "x.xcarchive", wanted: ["Payload", "Payload/A.app", "Payload/A.app/A"]),
    Layout(
      name: "chosen of an xcarchive",
      files: [
        "x.xcarchive/Products/Applications/A.app/A", "x.xcarchive/Products/Applications/B.app/B",
      ], app: "B", input: "x.xcarchive", wanted: ["Payload", "Payload/B.app", "Payload/B.app/B"]),
  ])
  func layouts(_ row: Layout) throws {
    let place = try Workplace()
    for file in row.files { try place.write(file, "no property list".utf8) }
    _ = try Packing.pack(
      place.at(row.input), to: Packing.Output(place.at("out.ipa")), app: row.app)
    let directory = try Self.directory(of: place.at("out.ipa"))
    let names = (0..<directory.count).map { directory.display($0) }
    #expect(Array(names.prefix(row.wanted.count)) == row.wanted)
  }

  struct Refused: NamedRow {
    let name: String
    let files: [String]
    let code: BundleError.Code
    let text: String
  }

  @Test(arguments: [
    Refused(name: "empty", files: ["in/"], code: .noPayload, text: "it is empty"),
    Refused(name: "other things", files: ["in/readme"], code: .noPayload, text: "readme"),
    Refused(name: "app beside", files: ["in/A.app/A"], code: .noPayload, text: "A.app"),
    Refused(name: "lower case", files: ["in/payload/A.app/A"], code: .noPayload, text: "payload/"),
    Refused(name: "deeper", files: ["in/x/Payload/A.app/A"], code: .noPayload, text: "x/"),
    Refused(name: "empty Payload", files: ["in/Payload/"], code: .noApplication, text: "empty"),
    Refused(
      name: "no app in Payload", files: ["in/Payload/readme"], code: .noApplication, text: "readme"),
    Refused(name: "a file", files: ["in"], code: .noPayload, text: "no folder"),
    Refused(name: "nothing", files: [], code: .notFound, text: "cannot open it"),
    Refused(
      name: "several in an xcarchive",
      files: ["in/Products/Applications/A.app/A", "in/Products/Applications/B.app/B"],
      code: .severalApplications, text: "2 applications"),
  ])
  func refuses(_ row: Refused) throws {
    let place = try Workplace()
    for file in row.files {
      if file.hasSuffix("/") {
        try FileManager.default.createDirectory(
          atPath: place.at(file), withIntermediateDirectories: true)
      } else {
        try place.write(file, "x".utf8)
      }
    }
    let error = #expect(throws: BundleError.self) {
      try Packing.pack(place.at("in"), to: Packing.Output(place.at("out.ipa")))
    }
    #expect(error?.code == row.code)
    #expect(error?.detail.contains(row.text) == true, "\(error?.detail ?? "")")
    #expect(!Files.exists(place.at("out.ipa")))
  }

  @Test func refusesWhatAnArchiveCannotHold() throws {
    let place = try Workplace()
    let output = Packing.Output(place.at("out.ipa"))
    try place.write("A.app/A", [])
    try #require(Tool.run(["mkfifo", place.at("A.app/pipe")]).status == 0)
    #expect(code { _ = try Packing.pack(place.at("A.app"), to: output) } == .notAFile)
    #expect(try place.names() == ["A.app"])
  }

  /// A header has 16 bits for the length of a name.
  @Test(arguments: [65_535, 65_536], [false, true])
  func longNames(_ count: Int, _ isFolder: Bool) throws {
    let place = try Workplace()
    let attributes = ZipPacker.Attributes(mode: 0o644, time: .exact(0))
    func pack(_ count: Int) throws {
      let file = try TemporaryFile(for: OutputPlace(place.at("out")))
      let packer = try ZipPacker(file, level: 6)
      let name = [UInt8](repeating: 0x6E, count: isFolder ? count - 1 : count)
      if isFolder {
        try packer.addFolder(name, attributes)
      } else {
        try packer.add(name, .bytes([]), size: 0, attributes)
      }
      try packer.close()
      let archive = try ArchiveFile(file.reopened(), limits: .standard)
      #expect(archive?.directory.records.map(\.nameLength) == [UInt16(count)])
    }
    let found = code { try pack(count) }
    #expect(found == (count > 65_535 ? .limit : nil))
  }

  @Test func theOutputsPlace() throws {
    let place = try Workplace()
    try Sample.folder(place, "A.app")
    var output = Packing.Output(place.at("out.ipa"))
    try place.write("out.ipa", "old".utf8)
    #expect(code { _ = try Packing.pack(place.at("A.app"), to: output) } == .outputExists)
    #expect(try place.read("out.ipa") == Array("old".utf8))
    output.replace = true
    _ = try Packing.pack(place.at("A.app"), to: output)
    #expect(try Application.open(place.at("out.ipa")).bundlePath == "Payload/A.app")
    output.path = place.at("A.app/out.ipa")
    #expect(code { _ = try Packing.pack(place.at("A.app"), to: output) } == .outputInInput)
    output.path = place.at("none/out.ipa")
    #expect(code { _ = try Packing.pack(place.at("A.app"), to: output) } == .outputNotWritable)
    try FileManager.default.createDirectory(
      atPath: place.at("folder.ipa"), withIntermediateDirectories: false)
    output.path = place.at("folder.ipa")
    #expect(code { _ = try Packing.pack(place.at("A.app"), to: output) } == .isDirectory)
    #expect(try place.names() == ["A.app", "folder.ipa", "out.ipa"])
  }

  @Test func levels() throws {
    let place = try Workplace()
    try place.write("A.app/text", String(repeating: "all of it repeats; ", count: 5000).utf8)
    var sizes: [UInt64] = []
    for level in [0, 1, 6, 9] {
      var options = PackingOptions()
      options.level = level
      let output = Packing.Output(place.at("\(level).ipa"))
      sizes.append(try Packing.pack(place.at("A.app"), to: output, options: options).bytes)
      let directory = try Self.directory(of: output.path)
      #expect(directory.records.last?.method == (level == 0 ? 0 : 8))
    }
    #expect(sizes[0] > 95_000 && sizes[1] < 5000 && sizes[3] <= sizes[2] && sizes[2] <= sizes[1])
  }
}
