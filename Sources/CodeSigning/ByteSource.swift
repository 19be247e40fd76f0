public import AppBundle

/// Bytes that are read at any place, and need not all be in memory.
public protocol ByteSource: Sendable {
  /// How many there are.
  var size: UInt64 { get }
  /// Exactly so many bytes from a place.
  /// - Throws: ``SigningError`` with code `truncated` where there are fewer, `unreadable`, `io`.
  func bytes(at offset: UInt64, count: Int) throws(SigningError) -> [UInt8]
}

extension [UInt8]: ByteSource {
  /// How many there are.
  public var size: UInt64 { UInt64(count) }

  /// Exactly so many bytes from a place.
  /// - Throws: ``SigningError`` with code `truncated` where there are fewer.
  public func bytes(at offset: UInt64, count: Int) throws(SigningError) -> [UInt8] {
    guard let start = Int(exactly: offset), count >= 0, start <= self.count,
      count <= self.count - start
    else { throw .truncated(offset, count, of: size) }
    return Array(self[start..<start + count])
  }
}

extension MemberContent: ByteSource {
  /// Exactly so many bytes from a place.
  /// - Throws: ``SigningError`` with codes `truncated` where there are fewer, `unreadable`, `io`.
  public func bytes(at offset: UInt64, count: Int) throws(SigningError) -> [UInt8] {
    guard count >= 0, offset <= size, UInt64(count) <= size - offset else {
      throw .truncated(offset, count, of: size)
    }
    do throws(BundleError) {
      return try read(at: offset, count: count)
    } catch {
      throw SigningError(error).inFile(path)
    }
  }
}

/// A part of another source, whose bytes are counted from its own start.
public struct ByteRange: ByteSource {
  private let source: any ByteSource
  private let range: Range<UInt64>

  /// A part of a source.
  /// - Throws: ``SigningError`` with code `truncated` where it reaches behind the source's end.
  public init(_ source: any ByteSource, _ range: Range<UInt64>) throws(SigningError) {
    guard range.upperBound <= source.size else {
      throw .truncated(range.lowerBound, Int(clamping: range.count), of: source.size)
    }
    self.source = source
    self.range = range
  }

  /// How many there are.
  public var size: UInt64 { range.upperBound - range.lowerBound }

  /// Exactly so many bytes from a place.
  /// - Throws: ``SigningError`` with code `truncated` where there are fewer, `unreadable`, `io`.
  public func bytes(at offset: UInt64, count: Int) throws(SigningError) -> [UInt8] {
    guard count >= 0, offset <= size, UInt64(count) <= size - offset else {
      throw .truncated(offset, count, of: size)
    }
    return try source.bytes(at: range.lowerBound + offset, count: count)
  }
}

extension SigningError {
  static func truncated(_ offset: UInt64, _ count: Int, of size: UInt64) -> SigningError {
    SigningError(
      .truncated, offset: offset,
      detail: "\(count) bytes are wanted there, and the end is at byte \(size)")
  }
}
