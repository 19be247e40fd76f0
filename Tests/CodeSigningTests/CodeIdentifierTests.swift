import CodeSigning
import Testing

@Suite struct CodeIdentifierTests {
  /// A file's path and what `codesign` makes of it.
  static let files: KeyValuePairs<String, String> = [
    "tool": "tool", "Frameworks/libfoo.dylib": "libfoo", "libz.1.2.dylib": "libz.1",
    "libFoo1.2.3.dylib": "libFoo1", "a.b.dylib": "a.b", "foo.1": "foo.1", "foo.1.2": "foo.1",
    "1.2.3": "1.2.3", ".hidden": ".hidden", "com.example.helper": "com.example",
    "naïve.so": "naïve",
    "x.": "x.",
  ]

  @Test func ofFiles() {
    for (path, identifier) in Self.files {
      let object = CodeObject(path: path, kind: .tool, executablePath: path)
      #expect(object.signingIdentifier == identifier, "\(path)")
    }
  }

  @Test func ofBundles() {
    let bare = CodeObject(
      path: "F.framework", kind: .framework, folder: "F.framework/Versions/A",
      executablePath: "F.framework/Versions/A/F")
    #expect(bare.signingIdentifier == "F")
    let empty = CodeObject(path: "E.appex", kind: .appExtension, folder: "E.appex")
    #expect(empty.signingIdentifier == "E")
  }
}
