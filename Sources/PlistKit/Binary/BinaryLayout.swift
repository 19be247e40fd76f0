/// A binary property list that was read, to be written again with what changed in it.
struct BinaryLayout: PlistLayout {
  let bytes: [UInt8]
  let trailer: BinaryTrailer
  let limits: ParseLimits

  /// The file with what differs between the values changed in it (``BinaryEdit``).
  func serialized(_ edited: PlistValue, original: PlistValue) throws(PlistError) -> [UInt8] {
    try withObjects { objects throws(PlistError) in
      var edit = try BinaryEdit(objects, limits: limits)
      guard try edit.reconcile(edited, with: original) else { return bytes }
      return try BinaryAssembly(edit).bytes()
    }
  }

  /// Where the objects at some paths start, or those of the nearest containers.
  func places(of paths: [PlistKeyPath], in original: PlistValue) -> [PlistPlace?] {
    let places = try? withObjects { objects throws(PlistError) -> [PlistPlace?] in
      PathEnd.ends(of: paths, from: trailer.topObject, original) { index, value in
        guard let object = try? objects.object(at: index) else { return nil }
        return switch value {
        case .dictionary(let dictionary): try? objects.entries(of: object, in: dictionary).values
        case .array: try? objects.references(of: object)
        default: nil
        }
      }.map { end in
        PlistPlace(
          .offset(objects.offset(of: end.node)), object: end.node, isExact: end.isExact)
      }
    }
    return places ?? paths.map { _ in nil }
  }

  private func withObjects<Result>(
    _ body: (BinaryObjects) throws(PlistError) -> Result
  ) throws(PlistError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(PlistError) in
      try body(BinaryObjects(bytes: UnsafeRawBufferPointer(buffer), trailer: trailer))
    }
  }
}

extension BinaryObjects {
  /// The objects of a dictionary's entries, each key once: of a repeated key the first counts.
  func entries(
    of object: BinaryObject, in dictionary: PlistDictionary
  ) throws(PlistError) -> (keys: [Int], values: [Int], hidden: [HiddenPair]) {
    let all = try references(of: object)
    guard dictionary.count < object.count else {
      return (Array(all.prefix(object.count)), Array(all.dropFirst(object.count)), [])
    }
    var keys: [Int] = []
    var values: [Int] = []
    var hidden: [HiddenPair] = []
    for position in 0..<object.count {
      guard case .string(let key) = try leaf(try self.object(at: all[position])).0 else {
        hidden.append(HiddenPair(key: all[position], value: all[object.count + position]))
        continue
      }
      guard keys.count < dictionary.count,
        key.isIdenticalText(to: dictionary.entries[keys.count].key)
      else { continue }
      keys.append(all[position])
      values.append(all[object.count + position])
    }
    return (keys, values, hidden)
  }
}

/// The objects of a pair whose key is no string.
struct HiddenPair {
  let key: Int
  let value: Int
}
