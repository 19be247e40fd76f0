import AppBundle
import Foundation
import PlistKit
import Testing

@testable import CodeSigning

@Suite("HandOff")
struct HandOffTests {
  @Test(
    "steps have their paths from the app's folder, whatever its name",
    arguments: ["App", "Äpp", "A\u{308}pp", "日本語", "👨‍👩‍👧", "\u{301}x"])
  func steps(_ name: String) throws {
    let folder = try AppFolder()
    let app = "Payload/\(name).app"
    let inner = ["", "PlugIns/S.appex", "PlugIns/\u{301}T.appex"]
    for path in inner {
      let start = path.isEmpty ? app : "\(app)/\(path)"
      try folder.writeInfo(
        start + "/Info.plist", ["CFBundleIdentifier": "com.example.x", "CFBundleExecutable": "x"])
      try folder.write(start + "/x", SmallMachO().bytes, mode: 0o755)
    }
    var request = SigningRequest(date: try #require(PlistDate(iso8601: "2026-11-30T00:00:00Z")))
    request.profiles = [try PlainProfile(identifier: "TEAM.*").given(to: nil, file: "p")]
    let opened = try folder.open()
    let steps = try SigningPlanTests.plan(opened, request).signingSteps(of: opened)
    #expect(Set(steps.map(\.path)) == Set(inner), "\(steps)")
    for step in steps {
      let start = step.path.isEmpty ? "" : step.path + "/"
      #expect(step.profilePlace == start + "embedded.mobileprovision")
    }
  }

  struct Quoted: CustomTestStringConvertible, Sendable {
    let text: String
    let word: String
    var testDescription: String { text }
  }

  @Test(
    "a text is one word of the shell",
    arguments: [
      Quoted(text: "", word: "''"), Quoted(text: "/a/b-c_1.ipa", word: "/a/b-c_1.ipa"),
      Quoted(text: "a b", word: "'a b'"), Quoted(text: "it's", word: "'it'\\''s'"),
      Quoted(text: "$(x)`y`;\n", word: "'$(x)`y`;\n'"), Quoted(text: "~", word: "'~'"),
      Quoted(text: "ü", word: "'ü'"),
    ])
  func quoting(_ row: Quoted) throws {
    #expect(ShellTemplate.quoted(row.text) == row.word)
    let echoed = try Tool.run(["sh", "-c", "printf %s \(ShellTemplate.quoted(row.text))"])
    #expect(echoed.output == row.text)
  }

  @Test("placeholders are filled in, and other braces stay")
  func template() throws {
    let template = try ShellTemplate("s ${A} {a,b} {input} {output}{ {input")
    #expect(
      template.line([.input: "in put", .output: "o"]) == "s ${A} {a,b} 'in put' o{ {input")
    #expect(throws: SigningError.self) { try ShellTemplate("zsign {output}") }
    #expect(try ShellTemplate("x {bundle}").uses(.bundle))
  }

  @Test("a value that is filled in is not looked at for placeholders")
  func nestedPlaceholder() throws {
    #expect(
      try ShellTemplate("{input} {output}").line([.input: "{output}", .output: "o"])
        == "'{output}' o")
  }

  @Test("passwords are hidden, and describe themselves without their text")
  func secrets() {
    let secret = Secret("hunter2")
    #expect("\(secret)" == Secret.mark)
    #expect(String(reflecting: secret) == Secret.mark)
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("hunter2"))
    #expect(Secret.hiding(["ab", "abc"], in: "xabcab") == "x\(Secret.mark)\(Secret.mark)")
    #expect(Secret.hiding(["", "q"], in: "xyz") == "xyz")
    #expect(
      Zsign().secrets(in: ["-p", "one", "-ptwo", "--password=three", "-z", "6", "--password"])
        == ["one", "two", "three"])
    #expect(Isign().secrets(in: ["-p", "profile"]).isEmpty)
  }

  @Test("escape sequences and control characters go from what a signer prints")
  func escapes() {
    let line = Array("\u{1B}[1;31m>>> no\u{1B}[0m\u{7}t \u{1B}Mhere\u{1B}[".utf8)
    #expect(String(decoding: SignerRun.withoutEscapes(line), as: UTF8.self) == ">>> not here")
  }

  @Test("the line that tells is found")
  func reasons() {
    #expect(
      Zsign().reason(in: [">>> Signing: x", ">>> Unknown issuer hash 0x1!", ">>> Signed Failed!"])
        == "Unknown issuer hash 0x1!")
    #expect(
      Isign().reason(in: ["Traceback", "  File x", "ValueError: y", "  z"]) == "ValueError: y")
    #expect(
      Isign().reason(in: ["a", "Not signable: <x>: why", "Exception: b"])
        == "Not signable: <x>: why")
    #expect(Rcodesign().reason(in: ["signing", "Error: no key", "help"]) == "no key")
    #expect(
      Codesign().reason(in: ["/a/b: errSecInternalComponent"]) == "/a/b: errSecInternalComponent")
    for signer in Signers.all { #expect(signer.reason(in: []) == nil) }
  }

  @Test("garbled names are known")
  func names() {
    let forms = GarbledName.forms(of: "Grüße.txt")
    #expect(forms.contains("Gr├╝├ƒe.txt"))
    #expect(forms.contains("GrÃ¼Ã\u{9F}e.txt"))
    #expect(forms.contains("Gr????e.txt"))
    #expect(GarbledName.forms(of: "plain.txt").isEmpty)
    // Python's own table.
    let all = (0x80...0xFF).map { UInt8($0) }
    let python = try? Tool.run([
      "python3", "-c", "print(bytes(range(128, 256)).decode('cp437'), end='')",
    ])
    if let python, python.status == 0 {
      #expect(python.output == String(String.UnicodeScalarView(all.map(GarbledName.scalar437))))
    }
  }
}

/// Changes that a signer makes to an app.
@Suite("HandOffCheck")
struct HandOffCheckTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let kinds: [HandOffFinding.Kind]
    var asked: [String] = []
    let change: @Sendable (AppFolder) throws -> Void
    var testDescription: String { name }
  }

  private static let info = "Payload/A.app/Info.plist"

  private static func app() throws -> AppFolder {
    let folder = try AppFolder()
    try folder.writeInfo(
      info,
      [
        "CFBundleIdentifier": "com.example.a", "CFBundleExecutable": "A", "IPAHub": "x",
        "CFBundleVersion": "1",
      ])
    try folder.write("Payload/A.app/A", MachOHeader.thin(2), mode: 0o755)
    try folder.write("Payload/A.app/Grüße.txt", [1])
    try folder.write("Payload/A.app/.hidden", [1])
    try folder.write("Payload/A.app/plain.txt", [1])
    try folder.link("Payload/A.app/link", to: "plain.txt")
    return folder
  }

  private static func remove(_ name: String, in folder: AppFolder) throws {
    try FileManager.default.removeItem(atPath: folder.at(name))
  }

  static let rows: [Row] = [
    Row(name: "nothing", kinds: []) { _ in },
    Row(name: "a signature and a profile", kinds: []) {
      try $0.write("Payload/A.app/_CodeSignature/CodeResources", [1])
      try $0.write("Payload/A.app/embedded.mobileprovision", [1])
    },
    Row(name: "code", kinds: []) {
      try $0.write("Payload/A.app/A", MachOHeader.thin(2) + [1], mode: 0o755)
    },
    Row(name: "a link is a file", kinds: [.symbolicLinks]) {
      try remove("Payload/A.app/link", in: $0)
      try $0.write("Payload/A.app/link", [1])
    },
    Row(name: "a link is gone", kinds: [.symbolicLinks]) {
      try remove("Payload/A.app/link", in: $0)
    },
    Row(name: "an execute bit", kinds: [.executeBits]) {
      try $0.write("Payload/A.app/A", MachOHeader.thin(2))
    },
    Row(name: "no permission at all", kinds: [.permissions]) {
      try $0.write("Payload/A.app/plain.txt", [1], mode: 0)
    },
    Row(name: "a garbled name", kinds: [.names]) {
      try remove("Payload/A.app/Grüße.txt", in: $0)
      try $0.write("Payload/A.app/Gr├╝├ƒe.txt", [1])
    },
    Row(name: "another Unicode form of a name", kinds: []) {
      try remove("Payload/A.app/Grüße.txt", in: $0)
      try $0.write("Payload/A.app/Gru\u{308}ße.txt", [1])
    },
    Row(name: "a hidden file is gone", kinds: [.hiddenFiles]) {
      try remove("Payload/A.app/.hidden", in: $0)
    },
    Row(name: "a file is gone", kinds: [.removed]) {
      try remove("Payload/A.app/plain.txt", in: $0)
    },
    Row(name: "a file has come", kinds: [.added]) { try $0.write("Payload/A.app/new", [1]) },
    Row(name: "the identifier", kinds: [.identifier]) {
      try $0.writeInfo(
        info,
        [
          "CFBundleIdentifier": "com.example.b", "CFBundleExecutable": "A", "IPAHub": "x",
          "CFBundleVersion": "1",
        ])
    },
    Row(name: "the update metadata", kinds: [.updateMetadata]) {
      try $0.writeInfo(
        info,
        [
          "CFBundleIdentifier": "com.example.a", "CFBundleExecutable": "A", "CFBundleVersion": "1",
        ])
    },
    Row(name: "another value", kinds: [.plistValues]) {
      try $0.writeInfo(
        info,
        [
          "CFBundleIdentifier": "com.example.a", "CFBundleExecutable": "A", "IPAHub": "x",
          "CFBundleVersion": "2",
        ])
    },
    Row(name: "an Info.plist that is none", kinds: [.updateMetadata]) {
      try $0.write(info, "no plist".utf8)
    },
  ]

  @Test("each change is found, and no other", arguments: rows)
  func changes(_ row: Row) throws {
    let (old, new) = (try Self.app(), try Self.app())
    let before = try old.open()
    try row.change(new)
    let found = try HandOffCheck(before, became: try new.open(), by: nil, asked: row.asked)
      .findings()
    #expect(found.map(\.rule) == row.kinds.map(\.rawValue))
    #expect(found.map(\.level) == row.kinds.map(\.level))
  }

  @Test("an identifier that was asked for is a warning")
  func asked() throws {
    let (old, new) = (try Self.app(), try Self.app())
    let before = try old.open()
    try new.writeInfo(
      Self.info,
      [
        "CFBundleIdentifier": "com.example.b", "CFBundleExecutable": "A", "IPAHub": "x",
        "CFBundleVersion": "1",
      ])
    let check = HandOffCheck(
      before, became: try new.open(), by: Zsign(), asked: ["-b", "com.example.b"])
    let found = try check.findings()
    #expect(found.map(\.level) == [.warning])
    #expect(found.first?.trap == Zsign().trap(for: .identifier))
  }
}
