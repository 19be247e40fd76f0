extension PlistValue {
  /// The value with another one at a path.
  ///
  /// A last step that names no key adds one at the end of its dictionary, an index that equals the
  /// array's count appends. Parents are not made. A key of digits is an index in an array.
  /// - Throws: ``PlistError`` with code `keyPath` where the path leads nowhere.
  public func setting(_ value: PlistValue, at path: PlistKeyPath) throws(PlistError) -> PlistValue {
    guard !path.components.isEmpty else { return value }
    return try editing(path) { (parent, step) throws(PlistError) in
      switch parent {
      case .dictionary(var dictionary):
        dictionary[step.text] = value
        return .dictionary(dictionary)
      case .array(var items):
        let index = try step.index(upTo: items.count, of: items, in: path)
        if index == items.count { items.append(value) } else { items[index] = value }
        return .array(items)
      default: throw parent.noContainer(for: step, in: path)
      }
    }
  }

  /// The value without what stands at a path.
  /// - Throws: ``PlistError`` with code `keyPath` where the path is the root or leads nowhere.
  public func removing(_ path: PlistKeyPath) throws(PlistError) -> PlistValue {
    try editing(path) { (parent, step) throws(PlistError) in
      switch parent {
      case .dictionary(let dictionary):
        let place = try dictionary.place(of: step, in: path)
        var entries = dictionary.entries
        entries.remove(at: place)
        return .dictionary(PlistDictionary(uniqueEntries: entries))
      case .array(var items):
        items.remove(at: try step.index(upTo: items.count - 1, of: items, in: path))
        return .array(items)
      default: throw parent.noContainer(for: step, in: path)
      }
    }
  }

  /// The value with another key for what stands at a path; its place among the keys stays.
  /// - Throws: ``PlistError`` with code `keyPath` where the path leads to no dictionary's key,
  ///   `duplicateKey` where the dictionary has the new key already.
  public func renaming(
    _ path: PlistKeyPath, to newKey: String
  ) throws(PlistError) -> PlistValue {
    try editing(path) { (parent, step) throws(PlistError) in
      guard case .dictionary(let dictionary) = parent else {
        throw PlistError(
          .keyPath, keyPath: path,
          detail: "only a dictionary's key can be renamed, and this is in \(parent.typeName)")
      }
      let place = try dictionary.place(of: step, in: path)
      let entry = dictionary.entries[place]
      if entry.key.isIdenticalText(to: newKey) { return parent }
      guard dictionary.index(of: newKey) == nil else { throw newKey.isThere(in: path) }
      var entries = dictionary.entries
      entries[place] = PlistDictionary.Entry(key: newKey, value: entry.value)
      return .dictionary(PlistDictionary(uniqueEntries: entries))
    }
  }

  /// The value with a new one at a place of its own among its siblings.
  ///
  /// In a dictionary the path's last key comes after `sibling`, or first where that is nil. In an
  /// array the value comes before the item at the path's last index, or last where that equals the
  /// count; `sibling` must be nil.
  /// - Throws: ``PlistError`` with code `keyPath` where the path leads nowhere or the sibling is not
  ///   there, `duplicateKey` where the dictionary has the key already.
  public func inserting(
    _ value: PlistValue, at path: PlistKeyPath, after sibling: String? = nil
  ) throws(PlistError) -> PlistValue {
    try editing(path) { (parent, step) throws(PlistError) in
      switch parent {
      case .dictionary(let dictionary):
        let key = step.text
        guard dictionary.index(of: key) == nil else { throw key.isThere(in: path) }
        var entries = dictionary.entries
        let place =
          try sibling.map { (key) throws(PlistError) in
            try dictionary.place(of: .key(key), in: path) + 1
          } ?? 0
        entries.insert(PlistDictionary.Entry(key: key, value: value), at: place)
        return .dictionary(PlistDictionary(uniqueEntries: entries))
      case .array(var items):
        guard sibling == nil else {
          throw PlistError(
            .keyPath, keyPath: path, detail: "an array has no key to insert after")
        }
        items.insert(value, at: try step.index(upTo: items.count, of: items, in: path))
        return .array(items)
      default: throw parent.noContainer(for: step, in: path)
      }
    }
  }

  /// What an edit makes of the container that holds the last step.
  private typealias ParentEdit = (PlistValue, PlistKeyPath.Component) throws(PlistError) ->
    PlistValue

  /// Walks down to the parent of a path, and puts what `edit` makes of it back in all the way up.
  private func editing(_ path: PlistKeyPath, _ edit: ParentEdit) throws(PlistError) -> PlistValue {
    guard let last = path.components.last else {
      throw PlistError(.keyPath, keyPath: path, detail: "the root itself stands in no container")
    }
    var parents: [(container: PlistValue, place: Int)] = []
    var value = self
    for step in path.components.dropLast() {
      switch value {
      case .dictionary(let dictionary):
        let place = try dictionary.place(of: step, in: path)
        parents.append((value, place))
        value = dictionary.entries[place].value
      case .array(let items):
        let place = try step.index(upTo: items.count - 1, of: items, in: path)
        parents.append((value, place))
        value = items[place]
      default: throw value.noContainer(for: step, in: path)
      }
    }
    value = try edit(value, last)
    while let (container, place) = parents.popLast() {
      switch container {
      case .dictionary(let dictionary):
        var entries = dictionary.entries
        entries[place].value = value
        value = .dictionary(PlistDictionary(uniqueEntries: entries))
      case .array(var items):
        items[place] = value
        value = .array(items)
      default: break
      }
    }
    return value
  }

  private func noContainer(for step: PlistKeyPath.Component, in path: PlistKeyPath) -> PlistError {
    PlistError(
      .keyPath, keyPath: path, detail: "\(step.text.quoted) leads into \(typeName), not a container"
    )
  }
}

extension PlistDictionary {
  fileprivate func place(
    of step: PlistKeyPath.Component, in path: PlistKeyPath
  ) throws(PlistError) -> Int {
    guard let place = index(of: step.text) else {
      throw PlistError(
        .keyPath, keyPath: path, detail: "a dictionary has no key \(step.text.quoted)")
    }
    return place
  }
}

extension PlistKeyPath.Component {
  /// The step as a dictionary's key.
  var text: String {
    switch self {
    case .key(let key): key
    case .index(let index): String(index)
    }
  }

  /// The step as an array's index, at most `last`.
  fileprivate func index(
    upTo last: Int, of items: [PlistValue], in path: PlistKeyPath
  ) throws(PlistError) -> Int {
    let index: Int? =
      switch self {
      case .index(let index): index
      case .key(let key): Int(arrayIndex: key)
      }
    guard let index else {
      throw PlistError(.keyPath, keyPath: path, detail: "\(text.quoted) is no index of an array")
    }
    guard index >= 0, index <= last else {
      throw PlistError(
        .keyPath, keyPath: path,
        detail: "index \(index) is outside an array of \(items.count) items")
    }
    return index
  }
}

extension String {
  fileprivate func isThere(in path: PlistKeyPath) -> PlistError {
    PlistError(.duplicateKey, keyPath: path, detail: "the dictionary has a key \(quoted) already")
  }
}
