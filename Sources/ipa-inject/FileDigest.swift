internal import CLibCrypto

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The SHA-256 of bytes that come block by block, through libcrypto. Owns an `EVP_MD_CTX`.
final class FileDigest {
  private let context: OpaquePointer
  private var isIntact = true
  /// Whether any block has come.
  private(set) var isEmpty = true

  init?() {
    guard let context = EVP_MD_CTX_new() else { return nil }
    self.context = context
    isIntact = EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: ArraySlice<UInt8>) {
    isEmpty = false
    isIntact =
      bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) } == 1 && isIntact
  }

  /// The digest in lower-case hexadecimal, nil where libcrypto failed. Ends the work.
  func finish() -> String? {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    guard EVP_DigestFinal_ex(context, &digest, &length) == 1, isIntact else { return nil }
    return digest.prefix(Int(length)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Takes in a whole file. False for a folder.
  func update(fileAt path: String) throws(Failure) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(path) }
    guard status.st_mode & S_IFMT != S_IFDIR else { return false }
    let number = InputFile.forEachBlock(of: descriptor, size: 1 << 20) { block in
      update(block)
      return true
    }
    guard number == 0 else { throw Self.failure(path, number) }
    return true
  }

  private static func failure(_ path: String, _ number: Int32 = errno) -> Failure {
    Failure(
      code: "io", status: .ioError, message: "cannot read it: \(String.ofSystemError(number))",
      file: path)
  }
}
