import AppBundle
import CodeSigning
import Foundation
import Testing

@Suite struct CodeObjectTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// Files with what they hold: `code`, `dylib`, `object`, `text`, an executable's name for an
    /// Info.plist, `> target` for a link.
    let files: KeyValuePairs<String, String>
    /// Kind, path and executable of each.
    let expected: [String]

    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "an app alone", files: ["Payload/D.app/Info.plist": "D", "Payload/D.app/D": "code"],
      expected: ["app Payload/D.app D"]),
    Row(
      name: "the app itself", files: ["Info.plist": "D", "D": "code", "lib.dylib": "dylib"],
      expected: ["dylib lib.dylib lib.dylib", "app . D"]),
    Row(
      name: "no executable", files: ["Payload/D.app/Info.plist": "D"],
      expected: ["app Payload/D.app -"]),
    Row(
      name: "an executable that is not named",
      files: ["Payload/D.app/Info.plist": "", "Payload/D.app/D": "code"],
      expected: ["app Payload/D.app D"]),
    Row(
      name: "what lies in another comes before it",
      files: [
        "Info.plist": "D", "D": "code", "PlugIns/S.appex/Info.plist": "S",
        "PlugIns/S.appex/S": "code",
        "PlugIns/S.appex/Frameworks/I.framework/Info.plist": "I",
        "PlugIns/S.appex/Frameworks/I.framework/I": "dylib",
        "Frameworks/F.framework/Info.plist": "F", "Frameworks/F.framework/F": "dylib",
        "Watch/W.app/Info.plist": "W", "Watch/W.app/W": "code",
        "Watch/W.app/PlugIns/X.appex/Info.plist": "X", "Watch/W.app/PlugIns/X.appex/X": "code",
        "AppClips/C.app/Info.plist": "C", "AppClips/C.app/C": "code",
        "Extensions/E.appex/Info.plist": "E", "Extensions/E.appex/E": "code",
      ],
      expected: [
        "framework PlugIns/S.appex/Frameworks/I.framework I",
        "app-extension Watch/W.app/PlugIns/X.appex X", "app-clip AppClips/C.app C",
        "app-extension Extensions/E.appex E", "framework Frameworks/F.framework F",
        "app-extension PlugIns/S.appex S", "watch-app Watch/W.app W", "app . D",
      ]),
    Row(
      name: "the stub of the first Watch apps",
      files: [
        "Info.plist": "D", "D": "code", "Watch/W.app/Info.plist": "W", "Watch/W.app/W": "code",
        "Watch/W.app/_WatchKitStub/WK": "code",
      ],
      expected: [
        "tool Watch/W.app/_WatchKitStub/WK Watch/W.app/_WatchKitStub/WK", "watch-app Watch/W.app W",
        "app . D",
      ]),
    Row(
      name: "frameworks with versions and without Info.plist",
      files: [
        "Info.plist": "D", "D": "code",
        "Frameworks/A.framework/Versions/B/Resources/Info.plist": "A",
        "Frameworks/A.framework/Versions/B/A": "dylib",
        "Frameworks/A.framework/Versions/Current": "> B",
        "Frameworks/A.framework/A": "> Versions/Current/A",
        "Frameworks/N.framework/N": "dylib", "Frameworks/V.framework/Versions/C/V": "dylib",
        "Frameworks/V.framework/Versions/Current": "> C", "Frameworks/Q.framework/q": "text",
      ],
      expected: [
        "framework Frameworks/A.framework Versions/B/A", "framework Frameworks/N.framework N",
        "framework Frameworks/Q.framework -", "framework Frameworks/V.framework Versions/C/V",
        "app . D",
      ]),
    Row(
      name: "bundles with code and without",
      files: [
        "Info.plist": "D", "D": "code", "R.bundle/Info.plist": "R", "R.bundle/R": "text",
        "P.bundle/Info.plist": "P", "P.bundle/P": "dylib", "E.bundle/x": "text",
        "PlugIns/T.xctest/Info.plist": "T", "PlugIns/T.xctest/T": "dylib",
      ],
      expected: ["bundle PlugIns/T.xctest T", "bundle P.bundle P", "app . D"]),
    Row(
      name: "files that are code, and those that only look so",
      files: [
        "Info.plist": "D", "D": "code", "PkgInfo": "code", "tool": "code", "data": "text",
        "libx.so": "dylib", "liby.dylib": "dylib", "fake.dylib": "text",
        "link.dylib": "> liby.dylib",
        "x.o": "object", "object": "object", "X.dSYM/Contents/Resources/DWARF/X": "code",
        "picture.png +x": "code", "my.helper +x": "code", "my.other": "code",
        "_CodeSignature/CodeResources": "code", "Frameworks/A.framework/Helper": "code",
        "fat": "fat",
        "Some.class +x": "java", "class": "java", "big": "big",
      ],
      expected: [
        "tool Frameworks/A.framework/Helper Frameworks/A.framework/Helper",
        "framework Frameworks/A.framework -", "tool big big", "tool fat fat",
        "tool libx.so libx.so",
        "dylib liby.dylib liby.dylib", "tool my.helper my.helper", "tool tool tool", "app . D",
      ]),
    Row(
      name: "a Mac app",
      files: [
        "Contents/Info.plist": "D", "Contents/MacOS/D": "code",
        "Contents/MacOS/helper.tool": "code",
        "Contents/XPCServices/X.xpc/Contents/Info.plist": "X",
        "Contents/XPCServices/X.xpc/Contents/MacOS/X": "code",
        "Contents/Library/SystemExtensions/S.systemextension/Contents/Info.plist": "S",
        "Contents/Library/SystemExtensions/S.systemextension/Contents/MacOS/S": "code",
        "Contents/Library/SystemExtensions/K.dext/Info.plist": "K",
        "Contents/Library/SystemExtensions/K.dext/K": "code",
        "Contents/Library/LoginItems/L.app/Contents/Info.plist": "L",
        "Contents/Library/LoginItems/L.app/Contents/MacOS/L": "code",
        "Contents/Library/LaunchServices/com.example.helper": "code",
      ],
      expected: [
        "tool Contents/Library/LaunchServices/com.example.helper "
          + "Contents/Library/LaunchServices/com.example.helper",
        "app Contents/Library/LoginItems/L.app Contents/MacOS/L",
        "driver-extension Contents/Library/SystemExtensions/K.dext K",
        "system-extension Contents/Library/SystemExtensions/S.systemextension Contents/MacOS/S",
        "tool Contents/MacOS/helper.tool Contents/MacOS/helper.tool",
        "xpc-service Contents/XPCServices/X.xpc Contents/MacOS/X", "app . Contents/MacOS/D",
      ]),
  ]

  @Test(arguments: rows) func objects(row: Row) throws {
    let folder = try AppFolder()
    for (file, content) in row.files { try Self.write(file, content, in: folder) }
    let found = try folder.open().codeObjects()
    #expect(found.map(Self.line) == row.expected)
  }

  @Test func folders() throws {
    let row = try #require(Self.rows.first { $0.name == "a Mac app" })
    let folder = try AppFolder()
    for (file, content) in row.files { try Self.write(file, content, in: folder) }
    try Self.write("Contents/Frameworks/F.framework/Versions/A/F", "dylib", in: folder)
    let found = try folder.open().codeObjects()
    let service = try #require(found.first { $0.kind == .xpcService })
    #expect(service.folder == "Contents/XPCServices/X.xpc/Contents")
    #expect(service.profilePath == nil)
    let app = try #require(found.last)
    #expect(app.folder == "Contents")
    #expect(app.profilePath == "Contents/embedded.provisionprofile")
    #expect(app.infoPlistBytes != nil && app.bundleIdentifier == "D")
    let framework = try #require(found.first { $0.kind == .framework })
    #expect(framework.folder == "Contents/Frameworks/F.framework/Versions/A")
    #expect(
      framework.codeResourcesPath
        == "Contents/Frameworks/F.framework/Versions/A/_CodeSignature/CodeResources")
    let tool = try #require(found.first { $0.kind == .tool })
    #expect(tool.folder == nil && tool.codeResourcesPath == nil)
  }

  /// An archive's members are looked into as a folder's files are.
  @Test func archives() throws {
    let folder = try AppFolder()
    for (file, content) in try #require(Self.rows.first { $0.name.hasPrefix("files") }).files {
      try Self.write("Payload/D.app/" + file, content, in: folder)
    }
    let expected = try folder.open().codeObjects().map(Self.line)
    for level in ["-0", "-9"] {
      let archive = folder.path + level + ".ipa"
      defer { try? FileManager.default.removeItem(atPath: archive) }
      let zip = try Tool.run([
        "sh", "-c", "cd '\(folder.path)' && zip -qry \(level) '\(archive)' .",
      ])
      try #require(zip.status == 0, "no zip: \(zip.output)")
      #expect(try Application.open(archive).codeObjects().map(Self.line) == expected)
    }
  }

  @Test func propertyListAlone() throws {
    let folder = try AppFolder()
    try folder.writeInfo("Info.plist", ["CFBundleIdentifier": "D"])
    #expect(try Application.open(folder.at("Info.plist")).codeObjects().isEmpty)
  }

  private static func line(_ object: CodeObject) -> String {
    let executable = object.executablePath.map { path in
      object.path != "." && object.folder != nil
        ? String(path.dropFirst(object.path.count + 1)) : path
    }
    return "\(object.kind.rawValue) \(object.path) \(executable ?? "-")"
  }

  private static func write(_ file: String, _ content: String, in folder: AppFolder) throws {
    if content.hasPrefix("> ") { return try folder.link(file, to: String(content.dropFirst(2))) }
    if file.hasSuffix("Info.plist") {
      return try folder.writeInfo(
        file, ["CFBundleExecutable": content, "CFBundleIdentifier": content])
    }
    let bytes: [UInt8] =
      switch content {
      case "code": MachOHeader.executable
      case "dylib": MachOHeader.thin(6)
      case "object": MachOHeader.thin(1)
      case "fat": MachOHeader.fat(2)
      case "java": MachOHeader.fat(52)
      case "big": MachOHeader.bigEndian
      default: Array("only text, of enough bytes for a header\n".utf8)
      }
    let isExecutable = file.hasSuffix(" +x")
    try folder.write(
      isExecutable ? String(file.dropLast(3)) : file, bytes, mode: isExecutable ? 0o755 : 0o644)
  }
}
