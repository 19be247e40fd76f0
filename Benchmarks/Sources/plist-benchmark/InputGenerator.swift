/// Makes XML property lists like the Info.plist files of applications, the same ones every time.
///
/// The text is written here and by no codec that is measured. Keys and many values repeat, as they do
/// in real files, and every type that XML has is there.
struct InputGenerator {
  private(set) var bytes: [UInt8] = []
  /// Values, containers among them.
  private(set) var values = 0
  /// Elements: values, keys and the `plist` around them.
  private(set) var elements = 0
  /// Entries of the root.
  private(set) var rootCount = 0
  private var random: SplitMix64
  /// Where no other value starts.
  private let end: Int
  private var indentation = 0

  /// The key that is edited, which stands at the root.
  static let editedKey = "CFBundleVersion"

  /// A document of about so many bytes, more by one value and the end tags at most.
  init(bytes size: Int, seed: UInt64 = 2001) {
    random = SplitMix64(state: seed)
    end = size - 60
    bytes.reserveCapacity(size + 4096)
    append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    elements += 1
    open("dict")
    applicationKeys()
    key("Records")
    open("array")
    while bytes.count < end { record(depth: 0) }
    close("array")
    close("dict")
    append("</plist>\n")
  }

  private mutating func applicationKeys() {
    for (name, text) in Vocabulary.application {
      key(name)
      scalar("string", text)
    }
    key("CFBundleSupportedPlatforms")
    strings(["iPhoneOS"])
    key("CFBundleURLTypes")
    open("array")
    open("dict")
    key("CFBundleTypeRole")
    scalar("string", "Editor")
    key("CFBundleURLSchemes")
    strings(["example", "example-debug"])
    close("dict")
    close("array")
    key("LSRequiresIPhoneOS")
    empty("true")
    key("UIDeviceFamily")
    open("array")
    for family in 1...2 { scalar("integer", String(family)) }
    close("array")
    key("UISupportedInterfaceOrientations")
    strings(Vocabulary.orientations)
  }

  /// A dictionary of 6 to 14 entries, fewer at the end.
  private mutating func record(depth: Int) {
    open("dict")
    var place = random.below(Vocabulary.keys.count)
    for _ in 0..<(6 + random.below(9)) where bytes.count < end {
      // 14 steps of at most 3 come to less than the number of keys: none comes twice.
      place = (place + 1 + random.below(3)) % Vocabulary.keys.count
      key(Vocabulary.keys[place])
      value(depth: depth + 1)
    }
    close("dict")
  }

  private mutating func value(depth: Int) {
    switch random.below(100) {
    case 0..<20: scalar("string", random.element(of: Vocabulary.texts))
    case 20..<48: scalar("string", freshText())
    case 48..<54: scalar("string", random.element(of: Vocabulary.otherScripts))
    case 54..<70: scalar("integer", integer())
    case 70..<80: empty(random.below(2) == 0 ? "true" : "false")
    case 80..<85: scalar("real", real())
    case 85..<89: scalar("date", date())
    case 89..<92: data()
    case 92..<97: strings((0..<(1 + random.below(4))).map { _ in freshText() })
    default: if depth < 5 { record(depth: depth) } else { strings([]) }
    }
  }

  /// A text that hardly comes twice.
  private mutating func freshText() -> String {
    let word = random.element(of: Vocabulary.words)
    let other = random.element(of: Vocabulary.words)
    let number = random.below(1_000_000)
    return switch random.below(4) {
    case 0: "com.example.\(word.lowercased()).\(other.lowercased())\(number)"
    case 1: "Sources/\(word)/\(other)View\(number).swift"
    case 2: "\(word) &amp; \(other) (\(number))"
    default: "\(other)\(number)"
    }
  }

  private mutating func integer() -> String {
    switch random.below(10) {
    case 0: String(Int64(bitPattern: random.next()) >> 8)
    case 1: String(-random.below(100_000))
    case 2, 3, 4: String(random.below(1_000_000))
    default: String(random.below(64))
    }
  }

  private mutating func real() -> String {
    random.below(2) == 0
      ? "0.\(1 + random.below(9))" : String(Double(random.below(1_000_000_000)) / 4096 + 0.125)
  }

  private mutating func date() -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let day = "\(2001 + random.below(30))-\(two(1 + random.below(12)))-\(two(1 + random.below(28)))"
    return day + "T\(two(random.below(24))):\(two(random.below(60))):\(two(random.below(60)))Z"
  }

  private mutating func data() {
    line("<data>")
    var text: [UInt8] = []
    for _ in 0..<(4 * (4 + random.below(12))) {
      text.append(Vocabulary.base64[random.below(Vocabulary.base64.count)])
    }
    indent()
    bytes += text
    bytes.append(UInt8(ascii: "\n"))
    line("</data>")
    count()
  }

  private mutating func strings(_ texts: [String]) {
    guard !texts.isEmpty else { return empty("array") }
    open("array")
    for text in texts { scalar("string", text) }
    close("array")
  }
}

// The markup, in the layout of Apple's writer.
extension InputGenerator {
  private mutating func count() {
    values += 1
    elements += 1
  }

  private mutating func key(_ name: String) {
    line("<key>" + name + "</key>")
    elements += 1
    if indentation == 1 { rootCount += 1 }
  }

  private mutating func scalar(_ tag: String, _ text: String) {
    line("<" + tag + ">" + text + "</" + tag + ">")
    count()
  }

  private mutating func empty(_ tag: String) {
    line("<" + tag + "/>")
    count()
  }

  private mutating func open(_ tag: String) {
    line("<" + tag + ">")
    count()
    indentation += 1
  }

  private mutating func close(_ tag: String) {
    indentation -= 1
    line("</" + tag + ">")
  }

  private mutating func line(_ text: String) {
    indent()
    append(text)
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func indent() {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: indentation))
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

/// Sebastiano Vigna's generator: small, and the same numbers everywhere.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 on; the bias of the remainder does not matter here.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func element(of items: [String]) -> String { items[below(items.count)] }
}
