/// Builds the value of each object that the root reaches, once, with a stack of its own instead of
/// recursion.
struct BinaryParser {
  private let objects: BinaryObjects
  private let limits: ParseLimits
  private let strictness: ParseStrictness

  /// The values of the objects that are done.
  private var values: [PlistValue]
  /// Of an object that is done the levels of containers in it, 0 for a leaf; else one of the two
  /// below.
  private var heights: [Int32]
  private static let unseen: Int32 = -1
  private static let open: Int32 = -2

  private var stack: [Frame] = []
  private var keys = KeyTable()
  private var bytesRead = 0
  private(set) var diagnostics: [PlistDiagnostic] = []

  /// A container whose references are being followed.
  private struct Frame {
    let object: BinaryObject
    let index: Int
    var next = 0
    var height: Int32 = 0
  }

  init(_ objects: BinaryObjects, limits: ParseLimits, strictness: ParseStrictness) {
    self.objects = objects
    self.limits = limits
    self.strictness = strictness
    values = Array(repeating: .null, count: objects.count)
    heights = Array(repeating: Self.unseen, count: objects.count)
  }

  /// The root's value. An error carries the key path that was reached.
  mutating func parse() throws(PlistError) -> PlistValue {
    do throws(PlistError) {
      try visit(objects.trailer.topObject)
      while let last = stack.indices.last {
        if stack[last].next == stack[last].object.referenceCount {
          try close()
          continue
        }
        let position = stack[last].next
        stack[last].next = position + 1
        try visit(try objects.reference(position, of: stack[last].object))
      }
    } catch {
      var error = error
      if error.keyPath == nil { error.keyPath = path }
      throw error
    }
    let top = objects.trailer.topObject
    if heights[top] > 128 {
      note(
        .deep, at: objects.offset(of: top), "\(heights[top]) levels, and iOS reads at most 128")
    }
    return values[top]
  }

  /// Follows a reference: builds a leaf, opens a container, or counts one that was built before.
  private mutating func visit(_ index: Int) throws(PlistError) {
    switch heights[index] {
    case Self.unseen: break
    case Self.open:
      throw PlistError(
        .badReference, at: .offset(objects.offset(of: index)),
        detail: "object \(index) is inside itself")
    case let height:
      try checkKey(index)
      try checkDepth(Int(height), at: index)
      if let last = stack.indices.last { stack[last].height = max(stack[last].height, height) }
      return
    }
    let object = try objects.object(at: index)
    try count(object)
    guard strictness.allowsNullsAndSets || object.kind != .null && object.kind != .set else {
      throw PlistError(
        .malformed, at: .offset(object.offset),
        detail: "a \(object.kind.name) object, which XML cannot hold")
    }
    if object.kind.isContainer {
      guard object.kind != .dictionary || object.count <= limits.pairs else {
        throw PlistError(
          .limit, at: .offset(object.offset),
          detail: "a dictionary of \(object.count) pairs, at most \(limits.pairs) are read")
      }
      guard !isAtKey else { throw wrongKey(object.kind.name, at: index) }
      try checkDepth(1, at: index)
      heights[index] = Self.open
      stack.append(Frame(object: object, index: index))
    } else {
      let (value, flaw) = try objects.leaf(object)
      values[index] = value
      heights[index] = 0
      try checkKey(index)
      if let flaw { try note(flaw, at: object.offset) }
    }
  }

  /// Objects may overlap, as in Core Foundation; what is read in all may not grow by that without
  /// bound.
  private mutating func count(_ object: BinaryObject) throws(PlistError) {
    bytesRead += object.end - object.offset
    guard bytesRead <= 2 * objects.bytes.count else {
      throw PlistError(
        .limit, at: .offset(object.offset),
        detail: "objects overlap and come to more than twice the file's bytes")
    }
  }

  private func checkDepth(_ levels: Int, at index: Int) throws(PlistError) {
    guard levels == 0 || stack.count + levels <= limits.depth else {
      throw PlistError(
        .limit, at: .offset(objects.offset(of: index)),
        detail: "more than \(limits.depth) levels of containers")
    }
  }

  /// Builds the container on top of the stack.
  private mutating func close() throws(PlistError) {
    guard let frame = stack.last else { return }
    let value: PlistValue =
      switch frame.object.kind {
      case .dictionary: .dictionary(try dictionary(of: frame))
      case .set: .set(try items(of: frame))
      default: .array(try items(of: frame))
      }
    stack.removeLast()
    values[frame.index] = value
    heights[frame.index] = frame.height + 1
    if let last = stack.indices.last {
      stack[last].height = max(stack[last].height, frame.height + 1)
    }
  }

  private func items(of frame: Frame) throws(PlistError) -> [PlistValue] {
    var items: [PlistValue] = []
    items.reserveCapacity(frame.object.count)
    for position in 0..<frame.object.count {
      items.append(values[try objects.reference(position, of: frame.object)])
    }
    return items
  }

  private mutating func dictionary(of frame: Frame) throws(PlistError) -> PlistDictionary {
    let object = frame.object
    var entries: [PlistDictionary.Entry] = []
    entries.reserveCapacity(object.count)
    for position in 0..<object.count {
      let keyIndex = try objects.reference(position, of: object)
      guard case .string(let key) = values[keyIndex] else {
        guard strictness.allowsNonStringKeys else { throw wrongKey("value", at: keyIndex) }
        note(
          .hiddenPair, at: objects.offset(of: keyIndex), path: containerPath,
          "key is \(values[keyIndex].typeName), its pair is not shown")
        continue
      }
      guard keys.isNew(key, object: keyIndex, of: objects.count, in: frame.index) else {
        try repeatedKey(key, at: keyIndex)
        continue
      }
      let value = try objects.reference(object.count + position, of: object)
      entries.append(PlistDictionary.Entry(key: key, value: values[value]))
    }
    return PlistDictionary(uniqueEntries: entries)
  }

  private mutating func repeatedKey(_ key: String, at index: Int) throws(PlistError) {
    let offset = objects.offset(of: index)
    guard strictness.allowsDuplicateKeys else {
      throw PlistError(
        .duplicateKey, at: .offset(offset), keyPath: containerPath.appending(key: key),
        detail: "key \(key.quoted) is in the dictionary twice")
    }
    note(
      .duplicateKey, at: offset, path: containerPath.appending(key: key),
      "key \(key.quoted) is in the dictionary twice, the first value counts")
  }
}

// MARK: - Keys, paths and diagnostics

extension BinaryParser {
  /// Whether the reference followed last is a dictionary's key.
  private var isAtKey: Bool {
    guard let frame = stack.last else { return false }
    return frame.object.kind == .dictionary && frame.next <= frame.object.count
  }

  private func checkKey(_ index: Int) throws(PlistError) {
    guard isAtKey else { return }
    if case .string = values[index] { return }
    guard strictness.allowsNonStringKeys, heights[index] == 0 else {
      throw wrongKey(values[index].typeName, at: index)
    }
  }

  private func wrongKey(_ type: String, at index: Int) -> PlistError {
    PlistError(
      .malformed, at: .offset(objects.offset(of: index)), keyPath: containerPath,
      detail: "key is \(type) (object \(index)), not a string")
  }

  /// The path of the container on top of the stack.
  private var containerPath: PlistKeyPath { path(of: stack.dropLast()) }

  /// The path of the reference followed last.
  private var path: PlistKeyPath { path(of: stack[...]) }

  private func path(of frames: ArraySlice<Frame>) -> PlistKeyPath {
    var path = PlistKeyPath.root
    for frame in frames where frame.next > 0 {
      let position = frame.next - 1
      guard frame.object.kind == .dictionary else {
        path.components.append(.index(position))
        continue
      }
      guard position >= frame.object.count,
        let key = try? objects.reference(position - frame.object.count, of: frame.object),
        case .string(let text) = values[key]
      else { continue }
      path.components.append(.key(text))
    }
    return path
  }

  /// How many diagnostics are kept, so that a hostile file cannot fill the memory with them.
  private static var maximumDiagnostics: Int { 100 }

  private mutating func note(
    _ code: PlistDiagnostic.Code, at offset: Int, path: PlistKeyPath? = nil, _ detail: String
  ) {
    guard diagnostics.count < Self.maximumDiagnostics else { return }
    diagnostics.append(
      PlistDiagnostic(
        code: code, location: .offset(offset), keyPath: path ?? self.path, detail: detail))
  }

  private mutating func note(_ flaw: BinaryLeafFlaw, at offset: Int) throws(PlistError) {
    switch flaw {
    case .highBytes:
      guard strictness.allowsHighBytesInASCII else {
        throw PlistError(
          .encoding, at: .offset(offset), detail: "ASCII string with bytes above 0x7F")
      }
      note(
        .refusedByApple, at: offset,
        "ASCII string with bytes above 0x7F, read as Latin-1; readers differ, some refuse it")
    case .unpairedSurrogate:
      guard strictness.allowsUnpairedSurrogates else {
        throw PlistError(
          .encoding, at: .offset(offset), detail: "UTF-16 with half of a surrogate pair")
      }
      note(
        .unpairedSurrogate, at: offset,
        "UTF-16 with half of a surrogate pair, shown as U+FFFD")
    case .wideInteger:
      guard strictness.allowsWideIntegers else {
        throw PlistError(.badValue, at: .offset(offset), detail: "integer beyond 64 bits")
      }
      note(
        .refusedByApple, at: offset,
        "integer beyond 64 bits, read as its low 64; readers differ, some refuse it")
    }
  }
}

/// Finds keys that are twice in one dictionary, in constant time a key: equal texts share a number,
/// and each number remembers the last dictionary it was in.
private struct KeyTable {
  private var numbers: [ExactText: Int32] = [:]
  private var numberOfObject: [Int32] = []
  private var lastDictionary: [Int] = []

  /// Notes a key, and says whether the dictionary has not had it before.
  mutating func isNew(
    _ key: String, object: Int, of objectCount: Int, in dictionary: Int
  ) -> Bool {
    if numberOfObject.isEmpty { numberOfObject = Array(repeating: -1, count: objectCount) }
    if numberOfObject[object] < 0 {
      let next = Int32(lastDictionary.count)
      let number = numbers[ExactText(key)] ?? next
      if number == next {
        numbers[ExactText(key)] = next
        lastDictionary.append(-1)
      }
      numberOfObject[object] = number
    }
    let number = Int(numberOfObject[object])
    if lastDictionary[number] == dictionary { return false }
    lastDictionary[number] = dictionary
    return true
  }
}
