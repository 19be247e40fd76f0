/// Reads JSON (RFC 8259) into property-list values, without recursion.
struct JSONReader {
  /// An array or an object that is not closed yet.
  private struct Container {
    let isObject: Bool
    var items: [PlistValue] = []
    /// The names of an object, one more than items while a value is awaited.
    private(set) var names: [String] = []
    /// Where each name stands.
    private var starts: [Int] = []
    /// The names' numbers, once there are so many that comparing them all takes longer.
    private var numbers: [ExactText: Int] = [:]

    init(isObject: Bool) { self.isObject = isObject }

    /// Adds a name that stands at a place. Where it is there already, returns that one's place.
    mutating func add(_ name: String, at place: Int) -> Int? {
      let number = names.count
      if number < 16 {
        if let earlier = names.firstIndex(where: { $0.isIdenticalText(to: name) }) {
          return starts[earlier]
        }
      } else {
        if numbers.isEmpty {
          for (number, name) in names.enumerated() { numbers[ExactText(name)] = number }
        }
        if let earlier = numbers.updateValue(number, forKey: ExactText(name)) {
          return starts[earlier]
        }
      }
      names.append(name)
      starts.append(place)
      return nil
    }
  }

  let bytes: [UInt8]
  let limits: ParseLimits
  var index = 0
  private var containers: [Container] = []
  private var count = 0

  init(_ bytes: [UInt8], limits: ParseLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The next byte, nil at the end.
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// The way to the value that is read now.
  var keyPath: PlistKeyPath {
    var steps: [PlistKeyPath.Component] = []
    for container in containers {
      if !container.isObject {
        steps.append(.index(container.items.count))
      } else if container.names.count > container.items.count, let name = container.names.last {
        steps.append(.key(name))
      }
    }
    return PlistKeyPath(steps)
  }

  /// Reads the whole text.
  mutating func parse() throws(PlistError) -> PlistValue {
    guard bytes.count <= limits.bytes else {
      throw PlistError(
        .limit, detail: "\(bytes.count) bytes, and at most \(limits.bytes) are read")
    }
    // RFC 8259, section 8.1, lets a parser pass over a byte-order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    while true {
      guard let value = try beginning(), let whole = try placing(value) else { continue }
      skipSpace()
      guard index == bytes.count else {
        throw error(.trailingBytes, "text after the end of the JSON value")
      }
      return whole
    }
  }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  /// Takes a byte, if that is what stands here.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Reads a value as far as its first item: nil where a container is open now and has one.
  private mutating func beginning() throws(PlistError) -> PlistValue? {
    skipSpace()
    count += 1
    guard count <= limits.objects else {
      throw error(.limit, "more than \(limits.objects) values")
    }
    switch next {
    case UInt8(ascii: "{"):
      try open(Container(isObject: true))
      if take("}") { return close() }
      try readName()
      return nil
    case UInt8(ascii: "["):
      try open(Container(isObject: false))
      return take("]") ? close() : nil
    case UInt8(ascii: "\""): return .string(try readText())
    case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: return try readNumber()
    case UInt8(ascii: "t"): return try readWord("true", .boolean(true))
    case UInt8(ascii: "f"): return try readWord("false", .boolean(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: throw unexpected("a value")
    }
  }

  private mutating func open(_ container: Container) throws(PlistError) {
    guard containers.count < limits.depth else {
      throw error(.limit, "more than \(limits.depth) levels of containers")
    }
    containers.append(container)
    index += 1
    skipSpace()
  }

  /// Ends the innermost container, whose bracket is taken.
  private mutating func close() -> PlistValue? {
    guard let container = containers.popLast() else { return nil }
    guard container.isObject else { return .array(container.items) }
    let entries = zip(container.names, container.items).map {
      PlistDictionary.Entry(key: $0, value: $1)
    }
    return .dictionary(PlistDictionary(uniqueEntries: entries))
  }

  /// Puts a value into its container, and ends all containers that end here. Nil where another value
  /// follows, else the value of the whole text.
  private mutating func placing(_ value: PlistValue) throws(PlistError) -> PlistValue? {
    var value = value
    while !containers.isEmpty {
      let last = containers.count - 1
      let isObject = containers[last].isObject
      containers[last].items.append(value)
      skipSpace()
      if take(",") {
        skipSpace()
        if isObject { try readName() }
        return nil
      }
      guard take(isObject ? "}" : "]"), let closed = close() else {
        throw unexpected("',' or '\(isObject ? "}" : "]")'")
      }
      value = closed
    }
    return value
  }

  private mutating func readName() throws(PlistError) {
    let start = index
    guard next == UInt8(ascii: "\"") else { throw unexpected("a name in quotation marks") }
    let name = try readText()
    if let earlier = containers[containers.count - 1].add(name, at: start) {
      throw PlistError(
        .duplicateKey, at: location(of: start), keyPath: keyPath.appending(key: name),
        detail: "the name \(name.quoted) stands twice, first at \(location(of: earlier))")
    }
    skipSpace()
    guard take(":") else { throw unexpected("':'") }
  }

  private mutating func readWord(
    _ word: String, _ value: PlistValue
  ) throws(PlistError) -> PlistValue {
    guard bytes[index...].starts(with: word.utf8) else { throw unexpected("a value") }
    index += word.utf8.count
    return value
  }
}
