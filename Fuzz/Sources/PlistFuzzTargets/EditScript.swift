package import PlistKit

/// Edits of a value, each at a place that is there and of a kind that must succeed.
package struct EditScript {
  private var choices: Choices
  private(set) package var value: PlistValue

  package init(_ choices: Choices, on value: PlistValue) {
    self.choices = choices
    self.value = value
  }

  /// Makes some edits.
  package mutating func run() throws(FuzzFailure) {
    for _ in 0...choices.number(below: 8) {
      guard value.extent(upTo: 20_000) != nil else { return }
      try step()
    }
  }

  private mutating func step() throws(FuzzFailure) {
    let path = place()
    switch choices.number(below: 8) {
    case 0: try set(.made(by: &choices), at: path)
    case 1: try add(.made(by: &choices), into: path)
    case 2: try remove(path)
    case 3: try rename(path)
    case 4: try insert(.made(by: &choices), beside: path)
    case 5: try move(path)
    case 6:
      if let other = value[place()] { try set(other, at: path) }
    default:
      if case .string(let text)? = value[path] { try set(.string(text + "x"), at: path) }
    }
  }

  /// The path to a value, of any depth.
  private mutating func place() -> PlistKeyPath {
    var path = PlistKeyPath.root
    var here = value
    while !choices.happens(onceIn: 4) {
      switch here {
      case .dictionary(let dictionary) where !dictionary.isEmpty:
        let entry = choices.element(of: dictionary.entries)
        path.components.append(.key(entry.key))
        here = entry.value
      case .array(let items) where !items.isEmpty:
        let index = choices.number(below: items.count)
        path.components.append(.index(index))
        here = items[index]
      default: return path
      }
      if choices.isExhausted, path.components.count > 2 { break }
    }
    return path
  }

  private mutating func set(_ new: PlistValue, at path: PlistKeyPath) throws(FuzzFailure) {
    value = try require("setting at '\(path)'") { () throws(PlistError) in
      try value.setting(new, at: path)
    }
    try require(value[path] == new, "what was set at '\(path)' is not there")
  }

  private mutating func add(_ new: PlistValue, into path: PlistKeyPath) throws(FuzzFailure) {
    switch value[path] {
    case .dictionary: try set(new, at: path.appending(key: PlistValue.key(by: &choices)))
    case .array(let items): try set(new, at: path.appending(index: items.count))
    default: return
    }
  }

  private mutating func remove(_ path: PlistKeyPath) throws(FuzzFailure) {
    guard !path.components.isEmpty else { return }
    let before = value
    value = try require("removing '\(path)'") { () throws(PlistError) in try value.removing(path) }
    try require(value != before, "what was removed at '\(path)' is there")
  }

  private mutating func rename(_ path: PlistKeyPath) throws(FuzzFailure) {
    guard let (parent, key) = keyed(path) else { return }
    let name = PlistValue.key(by: &choices)
    let isTaken = parent.index(of: name) != nil && !name.utf8.elementsEqual(key.utf8)
    let renamed = try attempt(
      { () throws(PlistError) in try value.renaming(path, to: name) },
      allowing: isTaken ? [.duplicateKey] : [], "renaming '\(path)'")
    try require((renamed == nil) == isTaken, "a key has been renamed to one that is there")
    if let renamed { value = renamed }
  }

  private mutating func insert(
    _ new: PlistValue, beside path: PlistKeyPath
  ) throws(FuzzFailure) {
    guard let (parent, key) = keyed(path) else {
      guard case .index = path.components.last else { return }
      value = try require("inserting at '\(path)'") { () throws(PlistError) in
        try value.inserting(new, at: path)
      }
      return try require(value[path] == new, "what was inserted at '\(path)' is not there")
    }
    let name = PlistValue.key(by: &choices)
    let isTaken = parent.index(of: name) != nil
    let target = PlistKeyPath(path.components.dropLast() + [.key(name)])
    let sibling = choices.happens(onceIn: 3) ? nil : key
    let inserted = try attempt(
      { () throws(PlistError) in try value.inserting(new, at: target, after: sibling) },
      allowing: isTaken ? [.duplicateKey] : [], "inserting at '\(target)'")
    guard let inserted else { return }
    value = inserted
    try require(value[target] == new, "what was inserted at '\(target)' is not there")
  }

  /// Takes an entry or item to another place in its container.
  private mutating func move(_ path: PlistKeyPath) throws(FuzzFailure) {
    guard let moved = value[path], !path.components.isEmpty else { return }
    try remove(path)
    guard case .key(let key) = path.components.last else {
      return try insert(moved, beside: PlistKeyPath(path.components.dropLast() + [.index(0)]))
    }
    let container = PlistKeyPath(Array(path.components.dropLast()))
    guard case .dictionary(let rest)? = value[container] else { return }
    let sibling = rest.isEmpty ? nil : choices.element(of: rest.entries).key
    value = try require("moving '\(path)'") { () throws(PlistError) in
      try value.inserting(moved, at: container.appending(key: key), after: sibling)
    }
  }

  /// The dictionary that holds what is at a path, and its key there.
  private func keyed(_ path: PlistKeyPath) -> (PlistDictionary, String)? {
    guard case .key(let key) = path.components.last,
      case .dictionary(let parent)? = value[PlistKeyPath(Array(path.components.dropLast()))]
    else { return nil }
    return (parent, key)
  }
}
