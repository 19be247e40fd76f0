/// The least Mach-O file that says what a plan asks of one.
struct SmallMachO: Sendable {
  /// `PLATFORM_…`: 1 macOS, 2 iOS, 3 tvOS, 4 watchOS, 7 iOS simulator; nil for none.
  var platform: UInt32? = 2
  /// The last byte of LC_UUID, nil for none.
  var uuid: UInt8? = 1
  var cryptID: UInt32 = 0
  /// The entitlements' XML in an ad hoc signature, nil for no signature.
  var entitlements: String?

  var bytes: [UInt8] {
    var commands: [[UInt8]] = []
    if let uuid { commands.append([0x1B, 0, 0, 0, 24, 0, 0, 0] + zeros(15) + [uuid]) }
    if let platform { commands.append(little(0x32, 24, platform, 0x000F_0000, 0x0012_0000, 0)) }
    if cryptID != 0 { commands.append(little(0x2C, 24, 0, 0, cryptID, 0)) }
    let signature = entitlements.map(Self.signature)
    let size = commands.reduce(0) { $0 + $1.count } + (signature == nil ? 0 : 16)
    let end = 32 + size
    if let signature { commands.append(little(0x1D, 16, UInt32(end), UInt32(signature.count))) }
    let header = little(0xFEED_FACF, 0x0100_000C, 0, 2, UInt32(commands.count), UInt32(size), 0, 0)
    return header + commands.flatMap { $0 } + (signature ?? zeros(16))
  }

  /// A SuperBlob of a CodeDirectory without hashes and of the entitlements.
  private static func signature(_ xml: String) -> [UInt8] {
    let name = Array("signed".utf8) + [0]
    let length = UInt32(48 + name.count)
    let directory =
      big(0xFADE_0C02, length, 0x20100, 2, length, 48, 0, 0, 0) + [32, 2, 0, 12] + big(0, 0) + name
    let entitlements = big(0xFADE_7171, UInt32(8 + xml.utf8.count)) + Array(xml.utf8)
    let total = 28 + directory.count + entitlements.count
    return big(0xFADE_0CC0, UInt32(total), 2, 0, 28, 5, UInt32(28 + directory.count)) + directory
      + entitlements
  }

  private static func big(_ words: UInt32...) -> [UInt8] {
    words.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }
}

private func little(_ words: UInt32...) -> [UInt8] {
  words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
}

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
