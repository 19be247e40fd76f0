// Errors, apart from what runs each time.
extension BinaryParser {
  @inline(never)
  func checkKind(_ object: BinaryObject) throws(PlistError) {
    switch object.kind {
    case .null, .set:
      guard strictness.allowsNullsAndSets else {
        throw PlistError(
          .malformed, at: .offset(object.offset),
          detail: "a \(object.kind.name) object, which XML cannot hold")
      }
    case .dictionary:
      guard object.count <= limits.pairs else {
        throw PlistError(
          .limit, at: .offset(object.offset),
          detail: "a dictionary of \(object.count) pairs, at most \(limits.pairs) are read")
      }
    default: break
    }
  }

  @inline(never)
  func insideItself(_ index: Int) -> PlistError {
    PlistError(
      .badReference, at: .offset(objects.offset(of: index)),
      detail: "object \(index) is inside itself")
  }

  @inline(never)
  func tooDeep(_ index: Int) -> PlistError {
    PlistError(
      .limit, at: .offset(objects.offset(of: index)),
      detail: "more than \(limits.depth) levels of containers")
  }

  @inline(never)
  func overlaps(_ object: BinaryObject) -> PlistError {
    PlistError(
      .limit, at: .offset(object.offset),
      detail: "objects overlap and come to more than twice the file's bytes")
  }

  @inline(never)
  func wrongKey(_ type: String, at index: Int) -> PlistError {
    PlistError(
      .malformed, at: .offset(objects.offset(of: index)),
      detail: "key is \(type) (object \(index)), not a string")
  }
}
