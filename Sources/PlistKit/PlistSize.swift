/// Counts what a value comes to where each shared container is written out each time: a file of some
/// hundred bytes can mean more values than any memory holds.
package struct PlistSize {
  private let limits: ParseLimits
  /// The values counted.
  private(set) var values = 0
  /// The bytes of their keys, text and data.
  private(set) var bytes = 0

  init(limits: ParseLimits) { self.limits = limits }

  /// Whether a value comes to at most so many values and bytes of text and data.
  package static func fits(_ value: PlistValue, values: Int, bytes: Int) -> Bool {
    var limits = ParseLimits.standard
    limits.expandedObjects = values
    limits.expandedBytes = bytes
    var size = PlistSize(limits: limits)
    return (try? size.add(value, depth: 0)) != nil
  }

  /// Counts a value that stands below so many containers.
  /// - Throws: ``PlistError`` with code `limit`.
  mutating func add(_ value: PlistValue, depth: Int) throws(PlistError) {
    values += 1
    try check()
    guard !value.isContainer || depth < limits.depth else { throw Self.tooDeep(limits) }
    switch value {
    case .dictionary(let dictionary):
      for entry in dictionary.entries {
        bytes += entry.key.utf8.count
        try add(entry.value, depth: depth + 1)
      }
    case .array(let items), .set(let items):
      for item in items { try add(item, depth: depth + 1) }
    case .string(let text): bytes += text.utf8.count
    case .data(let data): bytes += data.count
    default: break
    }
    try check()
  }

  private func check() throws(PlistError) {
    guard values <= limits.expandedObjects, bytes <= limits.expandedBytes else {
      throw Self.tooLarge(limits)
    }
  }

  /// The error of more values or bytes than the limits allow.
  static func tooLarge(_ limits: ParseLimits) -> PlistError {
    PlistError(
      .limit,
      detail: "written out, there are more than \(limits.expandedObjects) values or "
        + "\(limits.expandedBytes) bytes")
  }

  /// The error of containers deeper than the limits allow.
  static func tooDeep(_ limits: ParseLimits) -> PlistError {
    PlistError(.limit, detail: "more than \(limits.depth) levels of containers")
  }
}
