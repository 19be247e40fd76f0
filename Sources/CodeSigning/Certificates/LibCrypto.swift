internal import CLibCrypto
internal import PlistKit

/// An object of libcrypto with its one owner.
struct CryptoObject: ~Copyable {
  /// The object.
  let pointer: OpaquePointer
  private let free: @Sendable (OpaquePointer) -> Void

  /// Takes over an object that libcrypto gave away; nil where it gave none.
  init?(_ pointer: OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) {
    guard let pointer else { return nil }
    self.pointer = pointer
    self.free = free
  }

  deinit { free(pointer) }
}

/// What all readers over libcrypto share.
enum LibCrypto {
  /// Runs what may fail inside libcrypto and leaves this thread's queue of errors empty, as it must be
  /// for the next caller.
  static func clearingErrors<Result: ~Copyable>(
    _ body: () throws(SigningError) -> Result
  ) throws(SigningError) -> Result {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return try body()
  }

  /// Why libcrypto's last call failed, in its own words.
  static var lastReason: String? {
    guard let text = ERR_reason_error_string(ERR_peek_last_error()) else { return nil }
    return String(cString: text)
  }

  /// Lets libcrypto read bytes as a file of its own kind; nil where there are too many.
  static func withBIO<Value>(
    _ bytes: [UInt8], _ body: (OpaquePointer) -> Value?
  ) -> Value? {
    guard let count = Int32(exactly: bytes.count) else { return nil }
    return bytes.withUnsafeBytes { buffer in
      guard let bio = BIO_new_mem_buf(buffer.baseAddress, count) else { return nil }
      defer { BIO_free_all(bio) }
      return body(bio)
    }
  }

  /// The bytes of an ASN.1 string. libcrypto keeps them; they are copied.
  static func bytes(of text: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    guard let text, let start = ASN1_STRING_get0_data(text) else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: max(0, Int(ASN1_STRING_length(text)))))
  }

  /// The text of an ASN.1 string of any kind, nil where it is none.
  static func text(of string: UnsafePointer<ASN1_STRING>?) -> String? {
    guard let string else { return nil }
    var start: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&start, string)
    guard count >= 0, let start else { return nil }
    defer { CRYPTO_free(start, nil, 0) }
    return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// The moment of an ASN.1 time, nil where it is none.
  static func date(of time: UnsafePointer<ASN1_TIME>?) -> PlistDate? {
    guard let time, let epoch = ASN1_TIME_new() else { return nil }
    defer { ASN1_TIME_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard ASN1_TIME_set_string(epoch, "20010101000000Z") == 1,
      ASN1_TIME_diff(&days, &seconds, epoch, time) == 1
    else { return nil }
    return PlistDate(secondsSince2001: Double(days) * 86_400 + Double(seconds))
  }

  /// The dotted form of an object identifier.
  static func dotted(_ object: OpaquePointer?) -> String {
    guard let object else { return "" }
    var text = [CChar](repeating: 0, count: 256)
    let count = OBJ_obj2txt(&text, Int32(text.count), object, 1)
    guard count > 0 else { return "" }
    let kept = text.prefix(min(Int(count), text.count - 1))
    return String(decoding: kept.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
