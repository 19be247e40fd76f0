internal import ATSMerge
internal import AppBundle
internal import CodeSigning
internal import NetDiscovery
internal import PlistKit

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Why a command ended without a result: one line for people, one object for programs.
struct Failure: Error, Sendable {
  /// Stable between versions.
  let code: String
  let status: ExitStatus
  /// What went wrong, without capital and full stop.
  let message: String
  /// The input.
  var file: String?
  /// The member in it.
  var member: String?
  /// The key path, line or byte offset in that.
  var place: String?
  /// How to mend it.
  var hint: String?

  /// `WHERE: WHAT (HOW TO MEND IT)`.
  var line: String {
    let names = file.map { message.hasPrefix($0 + " ") ? [] : [$0] } ?? []
    return (names + [member, place].compactMap(\.self) + [message]).joined(separator: ": ")
      + (hint.map { " (\($0))" } ?? "")
  }

  var json: JSONValue { ["error": object] }

  /// What it is, for programs.
  var object: JSONValue {
    [
      "code": .string(code), "message": .string(message + (hint.map { " (\($0))" } ?? "")),
      "file": .optional(file),
      "path": .optional([member, place].compactMap(\.self).joined(separator: ": ").nonEmpty),
    ]
  }

  static func usage(_ error: UsageError) -> Failure {
    Failure(code: "usage", status: .usage, message: error.message, hint: error.hint)
  }
}

extension Failure {
  /// What the container could not give.
  init(_ error: BundleError, file: String) {
    self.init(
      code: "\(error.code)", status: ExitStatus(error.code), message: error.detail, file: file,
      member: error.member, hint: error.hint)
  }

  /// What is wrong with a property list.
  init(_ error: PlistError, file: String, member: String? = nil) {
    let places = [error.location?.description, error.keyPath?.brief].compactMap(\.self)
    self.init(
      code: "\(error.code)", status: .badInput, message: error.detail, file: file, member: member,
      place: places.filter { !$0.isEmpty }.joined(separator: ": ").nonEmpty)
  }

  /// What is wrong with code, a signature, a profile or a signer; the file is the input, or another one
  /// that was read.
  init(_ error: SigningError, file: String) {
    self.init(
      code: "\(error.code)", status: ExitStatus(error.code), message: error.detail, file: file,
      member: error.file == file ? nil : error.file, place: error.offset.map { "byte \($0)" },
      hint: error.hint)
  }

  /// What cannot be merged into.
  init(_ error: MergeError, file: String, member: String?) {
    self.init(
      code: "\(error.code)", status: .badInput, message: error.detail, file: file, member: member,
      place: error.keyPath.description.nonEmpty)
  }
}

extension String {
  /// What a number of the system's errors means, as the end of a sentence.
  static func ofSystemError(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The text, nil where there is none.
  var nonEmpty: String? { isEmpty ? nil : self }
}
