/// An image of 8-bit red, green, blue and alpha, row by row from the top.
struct Pixels: Equatable {
  let width: Int
  let height: Int
  var bytes: [UInt8]

  /// The pixels of Apple's PNGs as those of plain ones: red before blue, not multiplied with alpha.
  mutating func undoApplesForm() {
    bytes.withUnsafeMutableBufferPointer { bytes in
      for start in stride(from: 0, to: bytes.count - 3, by: 4) {
        bytes.swapAt(start, start + 2)
        let alpha = Int(bytes[start + 3])
        guard alpha != 255 else { continue }
        for place in start..<(start + 3) {
          let whole = alpha == 0 ? 0 : (Int(bytes[place]) * 255 + alpha / 2) / alpha
          bytes[place] = UInt8(min(whole, 255))
        }
      }
    }
  }

  /// The image made so small that neither side is longer than `longest`: each new pixel is the mean of
  /// those that fall on it, weighed by their alpha.
  func reduced(to longest: Int) -> Pixels {
    let side = max(width, height)
    guard side > longest, longest > 0 else { return self }
    let newWidth = max(1, width * longest / side)
    let newHeight = max(1, height * longest / side)
    var result = [UInt8]()
    result.reserveCapacity(newWidth * newHeight * 4)
    bytes.withUnsafeBufferPointer { bytes in
      for y in 0..<newHeight {
        let rows = (y * height / newHeight)..<((y + 1) * height / newHeight)
        for x in 0..<newWidth {
          let columns = (x * width / newWidth)..<((x + 1) * width / newWidth)
          result += mean(bytes, rows: rows, columns: columns)
        }
      }
    }
    return Pixels(width: newWidth, height: newHeight, bytes: result)
  }

  private func mean(
    _ bytes: UnsafeBufferPointer<UInt8>, rows: Range<Int>, columns: Range<Int>
  ) -> [UInt8] {
    var (red, green, blue, alpha) = (0, 0, 0, 0)
    for row in rows {
      for column in columns {
        let place = (row * width + column) * 4
        let weight = Int(bytes[place + 3])
        red += Int(bytes[place]) * weight
        green += Int(bytes[place + 1]) * weight
        blue += Int(bytes[place + 2]) * weight
        alpha += weight
      }
    }
    guard alpha > 0 else { return [0, 0, 0, 0] }
    let count = rows.count * columns.count
    return [red, green, blue].map { UInt8(($0 + alpha / 2) / alpha) }
      + [UInt8((alpha + count / 2) / count)]
  }
}
