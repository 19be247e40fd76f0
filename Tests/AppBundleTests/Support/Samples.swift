import Foundation

@testable import AppBundle

/// Small applications for tests.
enum Sample {
  static let plist = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>CFBundleExecutable</key><string>Demo</string></dict></plist>

    """.utf8)
  static let edited = plist + Array("<!-- edited, and longer than before -->\n".utf8)
  static let infoPath = "Payload/Demo.app/Info.plist"

  /// An archive as Info-ZIP writes it: entries for folders, an executable, a symbolic link.
  static func archive(_ change: (inout ArchiveBuilder) -> Void = { _ in }) -> ArchiveBuilder {
    var folder = ArchiveBuilder.Entry("Payload/")
    folder.mode = 0o040755
    folder.method = 0
    var app = folder
    app.name = Array("Payload/Demo.app/".utf8)
    var program = ArchiveBuilder.Entry(
      "Payload/Demo.app/Demo", String(repeating: "code", count: 500))
    program.mode = 0o100755
    var link = ArchiveBuilder.Entry("Payload/Demo.app/link", "Demo")
    link.mode = 0o120755
    link.method = 0
    var builder = ArchiveBuilder([
      folder, app, program, .init(infoPath, plist), link, .init("Payload/Demo.app/z.txt", "last"),
    ])
    change(&builder)
    return builder
  }

  /// The same as a folder: `NAME/Demo`, `NAME/Info.plist`, `NAME/link`, `NAME/sub/z.txt`.
  static func folder(_ place: Workplace, _ name: String, infoPlist: String = "Info.plist") throws {
    try place.write("\(name)/Demo", "code".utf8, mode: 0o755)
    try place.write("\(name)/\(infoPlist)", plist, mode: 0o640)
    try place.link("\(name)/link", to: "Demo")
    try place.write("\(name)/sub/z.txt", "last".utf8, mode: 0o444)
  }
}

extension ArchiveBuilder {
  /// Changes the entry of a name.
  mutating func change(_ name: String = Sample.infoPath, _ body: (inout Entry) -> Void) {
    guard let index = entries.firstIndex(where: { $0.name == Array(name.utf8) }) else { return }
    body(&entries[index])
  }

  mutating func add(_ entry: Entry) { entries.append(entry) }
}
