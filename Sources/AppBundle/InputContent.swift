/// What a file's first bytes look like.
enum InputContent: Equatable {
  case zip
  case propertyList
  /// Something else, in words.
  case other(String)

  /// How many bytes are enough to tell.
  static let prefixLength = 4096

  init(prefix: [UInt8], size: UInt64) {
    if size == 0 {
      self = .other("an empty file")
      return
    }
    let zips: [[UInt8]] = [
      [0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6], [0x50, 0x4B, 7, 8], [0x50, 0x4B, 0x30, 0x30],
    ]
    if zips.contains(where: { prefix.starts(with: $0) }) {
      self = .zip
    } else if prefix.starts(with: "bplist".utf8) {
      self = .propertyList
    } else {
      self = Self.text(prefix, size: size)
    }
  }

  private static func text(_ prefix: [UInt8], size: UInt64) -> InputContent {
    // Zero bytes and byte-order marks go, so that UTF-16 and UTF-32 read as ASCII.
    let plain = prefix.filter { $0 != 0 && $0 != 0xFE && $0 != 0xFF }
    let shown = plain.starts(with: [0xEF, 0xBB, 0xBF]) ? plain.dropFirst(3) : plain[...]
    let text = String(decoding: shown.drop { [9, 10, 13, 32].contains($0) }, as: UTF8.self)
      .lowercased()
    let starts = ["<plist", "<!doctype plist", "<dict", "<array"]
    if starts.contains(where: { text.hasPrefix($0) }) { return .propertyList }
    if text.hasPrefix("<?xml") || text.hasPrefix("<!--") {
      // A long comment may stand before what tells; then the reader of property lists judges.
      let isWhole = size <= prefixLength
      let isOther = text.contains("<html") || text.contains("<!doctype html")
      return starts.contains(where: { text.contains($0) }) || !(isWhole || isOther)
        ? .propertyList : .other("an XML file that is no property list")
    }
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") || text.hasPrefix("<head") {
      return .other("an HTML page")
    }
    if text.hasPrefix("{") { return .propertyList }
    let binary: [([UInt8], String)] = [
      ([0x1F, 0x8B], "a gzip file"), ([0x42, 0x5A, 0x68], "a bzip2 file"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz file"), (Array("7z".utf8), "a 7-Zip archive"),
      (Array("xar!".utf8), "an installer package"), (Array("Rar!".utf8), "a RAR archive"),
      ([0xCF, 0xFA, 0xED, 0xFE], "a program (Mach-O)"),
      ([0xCA, 0xFE, 0xBA, 0xBE], "a program (Mach-O)"),
    ]
    if let known = binary.first(where: { prefix.starts(with: $0.0) }) { return .other(known.1) }
    let isText = prefix.allSatisfy { $0 >= 32 || [9, 10, 13].contains($0) }
    return .other(isText ? "text of \(size) bytes" : "\(size) bytes of an unknown form")
  }
}
