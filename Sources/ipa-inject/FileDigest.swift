internal import CLibCrypto

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Hashing of whole files through libcrypto.
enum FileDigest {
  /// The SHA-256 of a file in lower-case hexadecimal, nil for a folder.
  static func sha256(_ path: String) throws(Failure) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT != S_IFDIR else { return nil }
    guard let context = DigestContext() else { throw failure(path) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure(path) }
      if count == 0 { break }
      guard context.update(buffer[..<count]) else { throw failure(path) }
    }
    guard let digest = context.finish() else { throw failure(path) }
    return digest.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  private static func failure(_ path: String) -> Failure {
    Failure(
      code: "io", status: .ioError,
      message: "it cannot be read back: \(String(cString: strerror(errno)))",
      file: path)
  }
}

/// Owns an `EVP_MD_CTX` that hashes with SHA-256.
private struct DigestContext: ~Copyable {
  private let context: OpaquePointer

  init?() {
    guard let context = EVP_MD_CTX_new() else { return nil }
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      EVP_MD_CTX_free(context)
      return nil
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
  }

  func finish() -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    guard EVP_DigestFinal_ex(context, &digest, &length) == 1 else { return nil }
    return Array(digest.prefix(Int(length)))
  }
}
