import PlistKit

/// What an input is held against. Each target takes any bytes.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// The XML reader.
  case xml
  /// The binary reader.
  case binary
  /// The reader of OpenStep text.
  case openStep = "openstep"
  /// The reader and the writer of JSON.
  case json
  /// Editing a document, writing it, and undoing that.
  case edit
  /// Writing a document in the other formats.
  case convert

  /// Checks what must hold for an input.
  package func check(_ input: [UInt8]) throws(FuzzFailure) {
    let input = FuzzInput(input)
    switch self {
    case .xml: try ReaderCheck(input.document, .xml).run()
    case .binary: try ReaderCheck(input.document, .binary).run()
    case .openStep: try ReaderCheck(input.document, .openStep).run()
    case .json: try JSONCheck(input.document).run()
    case .edit: try EditCheck(input.document, input.script).run()
    case .convert: try ConvertCheck(input.document).run()
    }
  }
}

/// Something that must hold and does not.
package struct FuzzFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Ends a check where a condition does not hold.
func require(
  _ condition: Bool, _ sentence: @autoclosure () -> String
) throws(FuzzFailure) {
  if !condition { throw FuzzFailure(sentence()) }
}

/// The result of a step that must not fail.
func require<Result>(
  _ sentence: @autoclosure () -> String, _ step: () throws(PlistError) -> Result
) throws(FuzzFailure) -> Result {
  do { return try step() } catch {
    throw FuzzFailure("\(sentence()) (\(error.code): \(error))")
  }
}

/// The result of a step that may fail with some codes only.
func attempt<Result>(
  _ step: () throws(PlistError) -> Result, allowing codes: Set<PlistError.Code>,
  _ sentence: @autoclosure () -> String
) throws(FuzzFailure) -> Result? {
  do { return try step() } catch {
    try require(codes.contains(error.code), "\(sentence()) (\(error.code): \(error))")
    try ErrorCheck.check(error)
    return nil
  }
}
