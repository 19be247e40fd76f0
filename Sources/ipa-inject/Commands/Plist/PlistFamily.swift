internal import PlistKit

/// The commands on property lists.
enum PlistFamily {
  static let family = CommandFamily(
    name: "plist", summary: "print, edit, convert, check and compare property lists",
    commands: [
      PlistPrintCommand.self, PlistGetCommand.self, PlistSetCommand.self, PlistRemoveCommand.self,
      PlistRenameCommand.self, PlistConvertCommand.self, PlistLintCommand.self,
      PlistDiffCommand.self,
    ],
    // plutil and PlistBuddy.
    synonyms: [
      "add": "set", "insert": "set", "-insert": "set", "replace": "set", "-replace": "set",
      "delete": "remove", "-remove": "remove", "extract": "get", "-extract": "get", "-p": "print",
      "show": "print",
    ])

  /// What every command says of its input.
  static let inputHelp = """
    INPUT is a property list, '-' for standard input, or anything with a main app, of which the \
    Info.plist is meant.
    """

  /// What the commands that take one say of it.
  static let keyPathHelp = """
    KEYPATH is a JSON Pointer such as /UIDeviceFamily/0 (~1 is a slash in a key, ~0 a tilde), or \
    :UIDeviceFamily:0 as PlistBuddy has it (\\: is a colon in a key).
    """

  /// The path of an argument.
  static func keyPath(_ text: String) throws(UsageError) -> PlistKeyPath {
    do throws(PlistError) { return try PlistKeyPath(parsing: text) } catch {
      throw UsageError("KEYPATH \(error.detail)", hint: "did you mean '/\(text)'?")
    }
  }
}
