internal import CZlib

/// Unpacks raw deflate data (RFC 1951). zlib keeps the address of its stream, which therefore never moves.
struct InflateStream: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>

  /// Nil where there is no memory for it.
  init?() {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // Less than zero: a window of so many bits, and no header around the data.
    guard
      inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else {
      stream.deallocate()
      return nil
    }
    self.stream = stream
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Gives what the data holds block by block. False where it is damaged, does not end, or holds more
  /// bytes than `limit`.
  func unpack(
    _ data: [UInt8], limit: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) -> Bool {
    var source = data
    var window = [UInt8](repeating: 0, count: 1 << 16)
    return source.withUnsafeMutableBufferPointer { source in
      window.withUnsafeMutableBufferPointer { window in
        stream.pointee.next_in = source.baseAddress
        stream.pointee.avail_in = UInt32(clamping: source.count)
        var total = 0
        while true {
          stream.pointee.next_out = window.baseAddress
          stream.pointee.avail_out = UInt32(window.count)
          let result = inflate(stream, Z_NO_FLUSH)
          let count = window.count - Int(stream.pointee.avail_out)
          body(UnsafeBufferPointer(rebasing: window[..<count]))
          total += count
          guard result == Z_OK, total <= limit else {
            return result == Z_STREAM_END && total <= limit
          }
        }
      }
    }
  }
}
