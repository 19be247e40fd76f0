internal import PlistKit

extension CodeResources {
  /// Reads a CodeResources file, an XML or binary property list.
  ///
  /// Each value that has a meaning must have its type, and a hash its length; other keys are left alone.
  /// - Throws: ``SigningError`` with codes `wrongKind` for what is no such property list, `malformed` with
  ///   the key path of a wrong value, `limit`.
  public init(
    parsing bytes: [UInt8], limits: SigningLimits = .standard
  ) throws(SigningError) {
    var bounds = ParseLimits.standard
    bounds.bytes = limits.resourcesBytes
    bounds.depth = 32
    bounds.pairs = limits.resourceEntries
    let document: PlistDocument
    do throws(PlistError) {
      document = try PlistDocument(parsing: bytes, limits: bounds)
    } catch {
      throw SigningError(error)
    }
    guard document.format != .openStep, case .dictionary(let root) = document.root else {
      throw SigningError(.wrongKind, detail: "it is no XML or binary property list of a dictionary")
    }
    let reader = ResourcesReader(limits: limits)
    version1 = try reader.list(root, files: "files", rules: "rules")
    version2 = try reader.list(root, files: "files2", rules: "rules2")
    guard version1 != nil || version2 != nil else {
      throw SigningError(.malformed, detail: "it has neither files nor files2")
    }
  }
}

/// Reads the values of a CodeResources file.
private struct ResourcesReader {
  let limits: SigningLimits

  func list(
    _ root: PlistDictionary, files: String, rules: String
  ) throws(SigningError) -> CodeResources.List? {
    let entries = try dictionary(root, files)
    let conditions = try dictionary(root, rules)
    guard entries != nil || conditions != nil else { return nil }
    return CodeResources.List(
      entries: try entries.map { entries throws(SigningError) in
        try self.entries(entries, at: PlistKeyPath(keys: files))
      } ?? [],
      rules: try conditions.map { conditions throws(SigningError) in
        try self.rules(conditions, at: PlistKeyPath(keys: rules))
      } ?? [])
  }

  private func dictionary(
    _ root: PlistDictionary, _ key: String
  ) throws(SigningError) -> PlistDictionary? {
    guard let value = root[key] else { return nil }
    guard case .dictionary(let dictionary) = value else {
      throw wrongType(PlistKeyPath(keys: key), value, "a dictionary")
    }
    return dictionary
  }

  private func entries(
    _ values: PlistDictionary, at path: PlistKeyPath
  ) throws(SigningError) -> [CodeResources.Entry] {
    var entries: [CodeResources.Entry] = []
    entries.reserveCapacity(values.count)
    for value in values.entries {
      entries.append(try entry(value, at: path))
    }
    return entries
  }

  private func entry(
    _ entry: PlistDictionary.Entry, at parent: PlistKeyPath
  ) throws(SigningError) -> CodeResources.Entry {
    let values: PlistDictionary
    switch entry.value {
    case .data(let hash):
      try check(hash, .sha1, at: parent.appending(key: entry.key))
      return .init(path: entry.key, content: .file(sha1: hash, sha256: nil))
    case .dictionary(let dictionary): values = dictionary
    default:
      throw wrongType(
        parent.appending(key: entry.key), entry.value, "data or a dictionary")
    }
    var fields = EntryFields()
    for value in values.entries {
      do throws(SigningError) {
        try fields.take(value)
      } catch {
        throw SigningError(
          error.code,
          detail: "\(parent.appending(key: entry.key).appending(key: value.key)): \(error.detail)")
      }
    }
    guard let content = fields.content else {
      throw SigningError(
        .malformed,
        detail: "\(parent.appending(key: entry.key)): it seals no file, no link and no code, or "
          + "more than one of them")
    }
    return .init(path: entry.key, content: content, isOptional: fields.isOptional)
  }

  private func check(
    _ hash: [UInt8], _ algorithm: HashAlgorithm, at path: @autoclosure () -> PlistKeyPath
  ) throws(SigningError) {
    guard hash.count != algorithm.length else { return }
    throw SigningError(.malformed, detail: "\(path()): \(EntryFields.length(hash, algorithm))")
  }

  private func rules(
    _ values: PlistDictionary, at path: PlistKeyPath
  ) throws(SigningError) -> [CodeResources.Rule] {
    guard values.count <= limits.resourceRules else {
      throw SigningError(
        .limit,
        detail: "\(path): \(values.count) rules, and at most \(limits.resourceRules) are read"
      )
    }
    var rules: [CodeResources.Rule] = []
    for entry in values.entries {
      guard entry.key.utf8.count <= limits.resourceRuleBytes else {
        throw SigningError(
          .limit,
          detail: "\(path): an expression of \(entry.key.utf8.count) bytes, and at most "
            + "\(limits.resourceRuleBytes) are read")
      }
      rules.append(try rule(entry, at: path.appending(key: entry.key)))
    }
    return rules
  }

  private func rule(
    _ entry: PlistDictionary.Entry, at path: PlistKeyPath
  ) throws(SigningError) -> CodeResources.Rule {
    if case .boolean(let isSealed) = entry.value {
      return CodeResources.Rule(entry.key, omits: !isSealed)
    }
    guard case .dictionary(let values) = entry.value else {
      throw wrongType(path, entry.value, "a boolean or a dictionary")
    }
    var rule = CodeResources.Rule(entry.key)
    for value in values.entries {
      switch value.key {
      case "weight": rule.weight = try weight(value.value, at: path.appending(key: "weight"))
      case "omit": rule.omits = try boolean(value.value, at: path.appending(key: "omit"))
      case "optional":
        rule.isOptional = try boolean(value.value, at: path.appending(key: "optional"))
      case "nested": rule.isNested = try boolean(value.value, at: path.appending(key: "nested"))
      default: break
      }
    }
    return rule
  }

  /// `ResourceBuilder` takes a weight as an unsigned number of 32 bits.
  private func weight(_ value: PlistValue, at path: PlistKeyPath) throws(SigningError) -> Double {
    let number: Double
    switch value {
    case .integer(let integer): number = integer.uint64.map { Double($0) } ?? -1
    case .real(let real): number = real.value
    default: throw wrongType(path, value, "a number")
    }
    guard number >= 0, number <= Double(UInt32.max) else {
      throw SigningError(.malformed, detail: "\(path): a weight is a number from 0 to 4294967295")
    }
    return number
  }

  private func boolean(_ value: PlistValue, at path: PlistKeyPath) throws(SigningError) -> Bool {
    guard case .boolean(let boolean) = value else { throw wrongType(path, value, "a boolean") }
    return boolean
  }

  private func wrongType(
    _ path: PlistKeyPath, _ value: PlistValue, _ wanted: String
  ) -> SigningError {
    SigningError(.malformed, detail: "\(path): \(value.typeName), and it must be \(wanted)")
  }
}

/// What the dictionary of one entry says.
private struct EntryFields {
  var sha1: [UInt8]?
  var sha256: [UInt8]?
  var target: String?
  var cdHash: [UInt8]?
  var requirement: String?
  var isOptional = false

  mutating func take(_ entry: PlistDictionary.Entry) throws(SigningError) {
    switch entry.key {
    case "hash": sha1 = try Self.hash(entry.value, .sha1)
    case "hash2": sha256 = try Self.hash(entry.value, .sha256)
    case "cdhash": cdHash = try Self.hash(entry.value, .sha256Truncated)
    case "symlink": target = try Self.text(entry.value)
    case "requirement": requirement = try Self.text(entry.value)
    case "optional":
      guard case .boolean(let value) = entry.value else {
        throw Self.wrongType(entry.value, "a boolean")
      }
      isOptional = value
    default: break
    }
  }

  /// Nil where it is not clear what is sealed.
  var content: CodeResources.Content? {
    let isFile = sha1 != nil || sha256 != nil
    let isCode = cdHash != nil || requirement != nil
    switch (isFile, target, isCode) {
    case (true, nil, false): return .file(sha1: sha1, sha256: sha256)
    case (false, let target?, false): return .link(target: target)
    case (false, nil, true): return .code(cdHash: cdHash, requirement: requirement)
    default: return nil
    }
  }

  static func length(_ hash: [UInt8], _ algorithm: HashAlgorithm) -> String {
    "\(hash.count) bytes, and a hash has \(algorithm.length) there"
  }

  private static func hash(
    _ value: PlistValue, _ algorithm: HashAlgorithm
  ) throws(SigningError) -> [UInt8] {
    guard case .data(let bytes) = value else { throw wrongType(value, "data") }
    guard bytes.count == algorithm.length else {
      throw SigningError(.malformed, detail: length(bytes, algorithm))
    }
    return bytes
  }

  private static func text(_ value: PlistValue) throws(SigningError) -> String {
    guard case .string(let text) = value else { throw wrongType(value, "a string") }
    return text
  }

  private static func wrongType(_ value: PlistValue, _ wanted: String) -> SigningError {
    SigningError(.malformed, detail: "\(value.typeName), and it must be \(wanted)")
  }
}
