extension SavedListener {
  /// A saved listener's JSON with another port and, where one is given, another host; the very same
  /// bytes where it says that already.
  ///
  /// All else stays byte for byte: other members, their order, white space, the spelling of numbers. A
  /// value that changes is replaced where it stands; a member that is missing is added at the end in
  /// the style of its neighbours, the host before the port. Without a document a new one is made.
  /// A host that means the same in another spelling (`*` and `::`) is left as it is.
  /// - Throws: ``DiscoveryError`` with code `json` for what is no JSON object in UTF-8, `limit`, and
  ///   `saved` for a port or host that stands there twice or is none.
  public static func document(
    _ json: [UInt8]?, host: Listener.Bind?, port: UInt16,
    limits: DiscoveryLimits = DiscoveryLimits()
  ) throws(DiscoveryError) -> [UInt8] {
    let existing = try json.map { bytes throws(DiscoveryError) in
      try SavedListener(parsing: bytes, limits: limits)
    }
    var edit = JSONObjectEdit(try object(in: json ?? Array("{\n}\n".utf8)))
    if let host, existing?.bind != host {
      edit.set(hostName, to: "\"\(host.text)\"")
    }
    if existing?.port != port { edit.set(portName, to: "\(port)") }
    return edit.result()
  }

  /// The bind address that is saved, nil where there is none or where it is none.
  private var bind: Listener.Bind? { host.flatMap { try? Listener.Bind(parsing: $0) } }

  static let hostName = "host"
  static let portName = "port"

  /// The places of the members, of which no two may be a host or a port: readers differ on which counts.
  static func object(in json: [UInt8]) throws(DiscoveryError) -> JSONObjectText {
    guard let object = JSONObjectText(json) else {
      throw DiscoveryError(.json, detail: "the saved listener is no JSON object in UTF-8")
    }
    for name in [hostName, portName] where object.members.count(where: { $0.name == name }) > 1 {
      throw DiscoveryError(.saved, detail: "the saved listener: \(name) stands there twice")
    }
    return object
  }
}

/// Changes of single members of a JSON object's text.
private struct JSONObjectEdit {
  private let object: JSONObjectText
  private var replacements: [(range: Range<Int>, text: [UInt8])] = []
  private var additions: [(name: String, value: String)] = []

  init(_ object: JSONObjectText) { self.object = object }

  mutating func set(_ name: String, to value: String) {
    if let member = object.members.first(where: { $0.name == name }) {
      replacements.append((member.valueRange, Array(value.utf8)))
    } else {
      additions.append((name, value))
    }
  }

  func result() -> [UInt8] {
    let style = Style(object)
    var replacements = replacements
    if !additions.isEmpty {
      let texts = additions.map { "\"\($0.name)\"" + style.colon + $0.value }
      let added = style.lead + texts.joined(separator: style.separator)
      replacements.append((style.place..<style.place, Array(added.utf8)))
    }
    var bytes = object.bytes
    for (range, text) in replacements.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(range, with: text)
    }
    return bytes
  }
}

/// How an object's members are set, and where the next one goes.
private struct Style {
  let place: Int
  /// What stands before the first one that is added.
  let lead: String
  /// What stands between two.
  let separator: String
  let colon: String

  init(_ object: JSONObjectText) {
    func text(_ range: Range<Int>) -> String {
      String(decoding: object.bytes[range], as: UTF8.self)
    }
    guard let last = object.members.last else {
      let inner = text(object.open + 1..<object.close)
      place = object.open + 1
      lead = inner.contains(where: \.isNewline) ? Self.lineEnd(in: inner) + "  " : inner
      separator = "," + (lead.isEmpty ? " " : lead)
      colon = ": "
      return
    }
    place = last.valueRange.upperBound
    colon = text(last.nameRange.upperBound..<last.valueRange.lowerBound)
    if let before = object.members.dropLast().last {
      separator = text(before.valueRange.upperBound..<last.nameRange.lowerBound)
    } else {
      let indent = text(object.open + 1..<last.nameRange.lowerBound)
      let blank = colon.last == " " ? " " : ""
      separator = "," + (indent.contains(where: \.isNewline) ? indent : blank)
    }
    lead = separator
  }

  private static func lineEnd(in text: String) -> String {
    text.utf8.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
  }
}
