import CodeSigning

/// What an input is held against. Each target takes any bytes.
package enum SigningFuzzTarget: String, CaseIterable, Sendable {
  /// Mach-O files with their signatures, and whether these seal them.
  case machO = "macho"
  /// A SuperBlob and all that lies in it.
  case superBlob = "superblob"
  /// A set of requirements, and a requirement by itself.
  case requirements
  /// Entitlements in DER.
  case der
  /// A CMS message.
  case cms
  /// A provisioning profile.
  case profile
  /// The list of sealed resources.
  case codeResources = "coderesources"

  /// Checks what must hold for an input.
  package func check(_ input: [UInt8]) throws(SigningFuzzFailure) {
    switch self {
    case .machO: try MachOCheck.run(input)
    case .superBlob: try SuperBlobCheck.run(input)
    case .requirements: try RequirementsCheck.run(input)
    case .der: try EntitlementsCheck.run(input)
    case .cms: try CMSCheck.run(input)
    case .profile: try ProfileCheck.run(input)
    case .codeResources: try CodeResourcesCheck.run(input)
    }
  }
}

/// Something that must hold and does not.
package struct SigningFuzzFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Ends a check where a condition does not hold.
func require(
  _ condition: Bool, _ sentence: @autoclosure () -> String
) throws(SigningFuzzFailure) {
  if !condition { throw SigningFuzzFailure(sentence()) }
}

/// The result of a step that may fail with some codes only, nil where it fails.
///
/// An error that names a key of the input has its characters too, whatever they are.
func attempt<Result>(
  _ what: String, allowing codes: Set<SigningError.Code> = anyInput, namesKeys: Bool = false,
  _ step: () throws(SigningError) -> Result
) throws(SigningFuzzFailure) -> Result? {
  do { return try step() } catch {
    try require(codes.contains(error.code), "\(what): an error of code \(error.code): \(error)")
    if !namesKeys { try requireLine(error.detail, "\(what): an error's detail") }
    try require(!error.detail.hasSuffix("."), "\(what): \(error.detail) ends in a full stop")
    return nil
  }
}

/// The codes of errors that bytes in memory can lead to.
let anyInput: Set<SigningError.Code> = [.wrongKind, .truncated, .malformed, .limit, .unsupported]

/// A text is one line that steers no terminal.
func requireLine(_ text: String, _ what: String) throws(SigningFuzzFailure) {
  try require(!text.isEmpty, "\(what) says nothing")
  let hasControls = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  try require(!hasControls, "\(what) holds control characters: \(text.debugDescription)")
}
