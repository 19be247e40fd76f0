#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value from a JSON document, which messages call by its subject: "the list of interfaces".
///
/// The decoder allows 512 levels of nesting (swift-foundation, `JSONScanner`).
/// - Throws: ``DiscoveryError`` with codes `limit` and `json`.
func decodeJSON<Value: Decodable>(
  _ type: Value.Type, from bytes: [UInt8], subject: String, limits: DiscoveryLimits
) throws(DiscoveryError) -> Value {
  guard bytes.count <= limits.maxBytes else {
    throw DiscoveryError(
      .limit, detail: "\(subject) has \(bytes.count) bytes, more than \(limits.maxBytes)")
  }
  guard !bytes.isEmpty else { throw DiscoveryError(.json, detail: "\(subject) is empty") }
  do {
    return try JSONDecoder().decode(type, from: Data(bytes))
  } catch let error as JSONContentError {
    throw DiscoveryError(
      .json, detail: "\(subject): \(place(error.path)) \(error.problem)")
  } catch let error as DecodingError {
    throw DiscoveryError(.json, detail: "\(subject): " + explain(error))
  } catch {
    throw DiscoveryError(.json, detail: "\(subject) is no JSON")
  }
}

/// The text of a JSON string in its quotes.
func decodedString(_ bytes: ArraySlice<UInt8>) throws -> String {
  try JSONDecoder().decode(String.self, from: Data(bytes))
}

/// A value of the right type that cannot stand where it is.
struct JSONContentError: Error {
  let path: [any CodingKey]
  /// What is wrong, to follow the place: "is no address".
  let problem: String
}

/// JSON with sorted keys and a line end.
func encodeJSON(_ value: some Encodable) -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  // Only values of texts, flags and lists get here, and those always encode.
  return ((try? encoder.encode(value)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
}

/// Base64 (RFC 4648, 4).
func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

private func explain(_ error: DecodingError) -> String {
  switch error {
  case .keyNotFound(let key, let context):
    "\(place(context.codingPath)) lacks '\(key.stringValue)'"
  case .typeMismatch(_, let context):
    "\(place(context.codingPath)) is of the wrong type"
  case .valueNotFound(_, let context):
    "\(place(context.codingPath)) is null"
  default:
    "not JSON"
  }
}

private func place(_ path: [any CodingKey]) -> String {
  guard !path.isEmpty else { return "the document" }
  return path.enumerated().map { offset, key in
    key.intValue.map { "[\($0)]" } ?? (offset == 0 ? "" : ".") + key.stringValue
  }.joined()
}
