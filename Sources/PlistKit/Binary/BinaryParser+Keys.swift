extension BinaryParser {
  /// Reads and checks all keys of a dictionary; then the state of each has its number.
  /// - Returns: whether there are pairs that are not shown.
  @inline(never)
  mutating func readKeys(of object: BinaryObject, index: Int) throws(PlistError) -> Bool {
    let references = objects.keyReferences(of: object)
    if let checkedKeys, checkedKeys.isIdentical(to: references) { return false }
    let objects = objects
    for position in 0..<object.count {
      let keyIndex = try objects.reference(position, of: object)
      let state = states[keyIndex]
      let known = state >= State.key ? Int(state & ~State.key) : try readKey(at: keyIndex)
      guard let key = known else {
        try hiddenKey(at: keyIndex)
        extra[index, default: ExtraPairs()].hidden.insert(position)
        continue
      }
      if !keys.isNew(key, in: index) {
        try repeatedKey(keys.text(key), at: keyIndex)
        extra[index, default: ExtraPairs()].repeated.insert(position)
      }
    }
    if extra[index] != nil { return true }
    checkedKeys = references
    return false
  }

  /// The number of a key that was none before; nil for a leaf that is no string, if one may be a key.
  @inline(never)
  private mutating func readKey(at index: Int) throws(PlistError) -> Int? {
    let state = states[index]
    let number: Int
    if state >= State.kept {
      let value = kept[Int(state - State.kept)].value
      guard case .string(let text) = value else {
        guard strictness.allowsNonStringKeys, !value.isContainer else {
          throw wrongKey(value.typeName, at: index)
        }
        return nil
      }
      number = keys.number(of: text)
    } else {
      guard state != State.open else { throw insideItself(index) }
      let object = try objects.object(at: index)
      try checkKind(object)
      guard object.kind == .ascii || object.kind == .utf16 else {
        guard strictness.allowsNonStringKeys, !object.kind.isContainer else {
          throw wrongKey(object.kind.name, at: index)
        }
        return nil
      }
      try count(object)
      let bytes = objects.payload(of: object)
      if object.kind == .ascii, !bytes.hasHighByte {
        number = keys.number(ofASCII: bytes)
      } else {
        let (value, flaw) = try objects.leaf(object)
        if let flaw { try note(flaw, at: object.offset) }
        number = keys.number(of: value.string ?? "")
      }
    }
    states[index] = State.key | UInt32(truncatingIfNeeded: number)
    return number
  }

  @inline(never)
  private mutating func hiddenKey(at index: Int) throws(PlistError) {
    let state = states[index]
    let value =
      state >= State.kept ? kept[Int(state - State.kept)].value : try otherLeaf(at: index)
    guard !notes.isFull else { return }
    notes.add(
      .hiddenPair, at: objects.offset(of: index), in: path,
      "key is \(value.typeName), its pair is not shown")
  }

  @inline(never)
  private mutating func repeatedKey(_ key: String, at index: Int) throws(PlistError) {
    if notes.isFull, strictness.allowsDuplicateKeys { return }
    let path = PlistKeyPath(path.components + [.key(key)])
    let place = objects.offset(of: index)
    guard strictness.allowsDuplicateKeys else {
      throw PlistError(
        .duplicateKey, at: .offset(place), keyPath: path,
        detail: "key \(key.quoted) is in the dictionary twice")
    }
    notes.add(
      .duplicateKey, at: place, in: path,
      "key \(key.quoted) is in the dictionary twice, the first value counts")
  }
}
