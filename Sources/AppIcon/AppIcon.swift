/// An app's icon as a plain PNG, made small enough to stand in a report.
public struct AppIcon: Sendable, Equatable {
  /// Bytes that an icon file may have.
  public static let byteLimit = 4 << 20
  /// Pixels that a side of an icon may have.
  public static let longestSide = 4096
  /// Pixels that a side has at most in the result.
  public static let shownSide = 192

  /// A PNG with 8 bits each of red, green, blue and alpha, and no chunk that it does not need.
  public let png: [UInt8]
  /// The result's size in pixels.
  public let width: Int
  /// The result's size in pixels.
  public let height: Int

  /// Decodes an icon file: a PNG of any form, or Apple's form of it (`CgBI`) that Xcode gives the icons of
  /// iOS apps.
  ///
  /// Checked: at most ``byteLimit`` bytes and ``longestSide`` pixels a side; the decoder checks all else.
  /// What comes out was encoded anew, so that nothing of a hostile file but its pixels is in it.
  /// - Throws: ``IconError`` with codes `notPNG`, `malformed`, `limit`.
  public init(decoding file: [UInt8]) throws(IconError) {
    guard file.count <= Self.byteLimit else {
      throw IconError(.limit, "it has \(file.count) bytes, and at most \(Self.byteLimit) are read")
    }
    let chunks = try PNGChunks(file)
    let header = chunks.header
    guard header.width <= Self.longestSide, header.height <= Self.longestSide else {
      throw Self.tooLarge(header.width, header.height)
    }
    var pixels = try LibPNG.decode(chunks.isApples ? ApplePNG.plain(chunks) : file)
    if chunks.isApples { pixels.undoApplesForm() }
    let shown = pixels.reduced(to: Self.shownSide)
    png = try LibPNG.encode(shown)
    width = shown.width
    height = shown.height
  }

  /// The size in pixels that a PNG of either form declares, nil for what is none.
  public static func size(of file: [UInt8]) -> (width: Int, height: Int)? {
    (try? PNGChunks(file)).map { ($0.header.width, $0.header.height) }
  }

  static func tooLarge(_ width: Int, _ height: Int) -> IconError {
    IconError(
      .limit, "it has \(width) × \(height) pixels, and at most \(longestSide) a side are read")
  }
}
