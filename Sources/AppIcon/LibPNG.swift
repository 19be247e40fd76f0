internal import CLibPNG

/// Decoding and encoding through libpng's simplified API, which catches its own errors: none jumps over
/// frames of Swift.
///
/// libpng keeps the address of the image that it works on, which therefore never moves.
struct LibPNG: ~Copyable {
  /// Red, green, blue, alpha, a byte each: `PNG_FORMAT_RGBA`.
  private static let rgba = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)

  private let image: UnsafeMutablePointer<png_image>

  private init() {
    image = .allocate(capacity: 1)
    image.initialize(to: png_image())
    image.pointee.version = UInt32(PNG_IMAGE_VERSION)
  }

  deinit {
    png_image_free(image)
    image.deallocate()
  }

  /// The pixels of a PNG.
  /// - Throws: ``IconError`` with codes `malformed`, `limit`.
  static func decode(_ png: [UInt8]) throws(IconError) -> Pixels {
    let reader = LibPNG()
    // libpng keeps the address of the bytes too, from its first look at them to the last.
    let pixels = png.withUnsafeBytes { reader.pixels(of: $0) }
    return try pixels.get()
  }

  private func pixels(of png: UnsafeRawBufferPointer) -> Result<Pixels, IconError> {
    guard png_image_begin_read_from_memory(image, png.baseAddress, png.count) != 0 else {
      return .failure(failure)
    }
    let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
    guard (1...AppIcon.longestSide).contains(width), (1...AppIcon.longestSide).contains(height)
    else { return .failure(AppIcon.tooLarge(width, height)) }
    image.pointee.format = Self.rgba
    // Without it 16-bit samples that say nothing of their curve would be taken for linear ones.
    image.pointee.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    let isRead = bytes.withUnsafeMutableBytes {
      png_image_finish_read(image, nil, $0.baseAddress, 0, nil) != 0
    }
    return isRead
      ? .success(Pixels(width: width, height: height, bytes: bytes)) : .failure(failure)
  }

  /// A PNG of the pixels with no other chunk than it needs.
  /// - Throws: ``IconError`` with code `malformed`.
  static func encode(_ pixels: Pixels) throws(IconError) -> [UInt8] {
    try LibPNG().png(of: pixels)
  }

  private func png(of pixels: Pixels) throws(IconError) -> [UInt8] {
    image.pointee.width = UInt32(clamping: pixels.width)
    image.pointee.height = UInt32(clamping: pixels.height)
    image.pointee.format = Self.rgba
    // What does not compress takes its own size, a byte a row, five for each stored block, and chunks.
    var png = [UInt8](repeating: 0, count: pixels.bytes.count * 9 / 8 + pixels.height + 4096)
    var size = png.count
    let isWritten = png.withUnsafeMutableBytes { png in
      pixels.bytes.withUnsafeBytes { bytes in
        png_image_write_to_memory(image, png.baseAddress, &size, 0, bytes.baseAddress, 0, nil) != 0
      }
    }
    guard isWritten, size <= png.count else { throw failure }
    png.removeLast(png.count - size)
    return png
  }

  private var failure: IconError {
    let text = withUnsafeBytes(of: image.pointee.message) { message in
      String(decoding: message.prefix { $0 != 0 && $0 < 0x7F }, as: UTF8.self)
    }
    return IconError(.malformed, text.isEmpty ? "it cannot be decoded" : "libpng says: \(text)")
  }
}
