import Testing

@testable import AppIcon

@Suite struct AppIconTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let width: Int
    let height: Int
    var color = 6
    var depth = 8
    var interlaced = false
    let apples: Bool

    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "plain", width: 60, height: 60, apples: false),
    Row(name: "plain, one pixel", width: 1, height: 1, apples: false),
    Row(name: "plain, interlaced", width: 61, height: 37, interlaced: true, apples: false),
    Row(name: "plain, 16 bits", width: 20, height: 20, depth: 16, apples: false),
    Row(name: "plain, no alpha", width: 20, height: 20, color: 2, apples: false),
    Row(name: "plain, grey", width: 20, height: 20, color: 0, apples: false),
    Row(name: "plain, grey with alpha", width: 20, height: 20, color: 4, apples: false),
    Row(name: "Apple's", width: 60, height: 60, apples: true),
    Row(name: "Apple's, one pixel", width: 1, height: 1, apples: true),
    Row(name: "Apple's, as large as is shown", width: 192, height: 100, apples: true),
    Row(name: "Apple's, interlaced", width: 61, height: 37, interlaced: true, apples: true),
    Row(name: "Apple's, interlaced, one row", width: 9, height: 1, interlaced: true, apples: true),
    Row(name: "Apple's, no alpha", width: 33, height: 20, color: 2, apples: true),
  ]

  @Test(arguments: rows) func showsTheSamePixels(_ row: Row) throws {
    let image = try #require(
      try Oracle.image(
        width: row.width, height: row.height, color: row.color, depth: row.depth,
        interlaced: row.interlaced, apples: row.apples))
    let icon = try AppIcon(decoding: image.png)
    #expect(icon.width == row.width && icon.height == row.height)
    let shown = try LibPNG.decode(icon.png).bytes
    #expect(shown.count == image.pixels.count)
    #expect(Self.worst(shown, image.pixels, areMultiplied: row.apples) == 0)
  }

  /// How far pixels are from others at most. Multiplying loses what little alpha leaves of a colour: of
  /// Apple's a difference counts only where it shows.
  private static func worst(_ a: [UInt8], _ b: [UInt8], areMultiplied: Bool) -> Int {
    var worst = 0
    for start in stride(from: 0, to: min(a.count, b.count), by: 4) {
      let alpha = Int(b[start + 3])
      if a[start + 3] != b[start + 3] { return 255 }
      for place in start..<(start + 3) {
        let difference = abs(Int(a[place]) - Int(b[place]))
        worst = max(worst, areMultiplied ? difference * alpha / 256 : difference)
      }
    }
    return worst
  }

  @Test func isMadeSmaller() throws {
    let image = try #require(try Oracle.image(width: 400, height: 100, apples: true))
    let icon = try AppIcon(decoding: image.png)
    #expect(icon.width == 192 && icon.height == 48)
    #expect(AppIcon.size(of: image.png).map { [$0.width, $0.height] } == [400, 100])
  }

  @Test func meansOfPixelsAreWeighedByAlpha() {
    let pixels = Pixels(
      width: 2, height: 2, bytes: [200, 0, 0, 255, 0, 9, 0, 0, 100, 0, 0, 255, 0, 0, 9, 0])
    #expect(pixels.reduced(to: 1) == Pixels(width: 1, height: 1, bytes: [150, 0, 0, 128]))
    #expect(pixels.reduced(to: 2) == pixels)
  }

  struct Bad: CustomTestStringConvertible, Sendable {
    let name: String
    let code: IconError.Code
    let change: @Sendable ([UInt8]) -> [UInt8]

    var testDescription: String { name }
  }

  /// Where the header's width stands behind Apple's chunk of 16 bytes.
  private static let width = 8 + 16 + 8

  static let bad = [
    Bad(name: "empty", code: .notPNG) { _ in [] },
    Bad(name: "text", code: .notPNG) { _ in Array("<svg onload='x'/>".utf8) },
    Bad(name: "a JPEG", code: .notPNG) { _ in [0xFF, 0xD8, 0xFF, 0xE0] },
    Bad(name: "only the signature", code: .malformed) { Array($0.prefix(8)) },
    Bad(name: "cut off", code: .malformed) { Array($0.dropLast(20)) },
    Bad(name: "a chunk of 2 GiB", code: .malformed) { bytes in
      bytes.replacing(at: 8, with: [0x7F, 0xFF, 0xFF, 0xFF])
    },
    Bad(name: "a chunk of 4 GiB", code: .malformed) { bytes in
      bytes.replacing(at: 8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    },
    Bad(name: "no width", code: .malformed) { $0.replacing(at: width, with: [0, 0, 0, 0]) },
    Bad(name: "4,097 pixels", code: .limit) { $0.replacing(at: width, with: [0, 0, 0x10, 1]) },
    Bad(name: "more rows than data", code: .malformed) {
      $0.replacing(at: width + 4, with: [0, 0, 4, 0])
    },
    Bad(name: "fewer rows than data", code: .malformed) {
      $0.replacing(at: width + 4, with: [0, 0, 0, 1])
    },
    Bad(name: "a colour type that is none", code: .malformed) {
      $0.replacing(at: width + 9, with: [5])
    },
    Bad(name: "data that is no deflate", code: .malformed) {
      $0.replacing(at: width + 25, with: [UInt8](repeating: 0xFF, count: 64))
    },
    Bad(name: "over 4 MiB", code: .limit) { $0 + [UInt8](repeating: 0, count: 4 << 20) },
  ]

  @Test(arguments: bad) func refuses(_ row: Bad) throws {
    let image = try #require(try Oracle.image(width: 40, height: 40, apples: true))
    let error = #expect(throws: IconError.self) {
      try AppIcon(decoding: row.change(image.png))
    }
    #expect(error?.code == row.code, "\(error?.detail ?? "")")
  }

  @Test func endsWhateverTheBytes() throws {
    var generator = SeededGenerator(seed: 7)
    for apples in [false, true] {
      let image = try #require(try Oracle.image(width: 24, height: 24, apples: apples))
      var decoded = 0
      for _ in 0..<3000 {
        var bytes = image.png
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          switch Int.random(in: 0..<4, using: &generator) {
          case 0:
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
              UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.removeLast(Int.random(in: 0..<20, using: &generator))
          case 2:
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            bytes.insert(
              contentsOf: [0, 0, 0, UInt8.random(in: 0...255, using: &generator)], at: place)
          default: bytes[Int.random(in: 8..<60, using: &generator)] ^= 1
          }
        }
        if (try? AppIcon(decoding: bytes)) != nil { decoded += 1 }
      }
      // Most changes break it; those of chunks that do not matter must not.
      #expect(decoded < 3000)
    }
  }
}

extension [UInt8] {
  fileprivate func replacing(at place: Int, with bytes: [UInt8]) -> [UInt8] {
    var copy = self
    copy.replaceSubrange(place..<(place + bytes.count), with: bytes)
    return copy
  }
}
