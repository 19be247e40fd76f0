internal import CodeSigning

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The SHA-256 of bytes that come block by block.
final class FileDigest {
  private let hasher: HashAlgorithm.Hasher
  /// Whether any block has come.
  private(set) var isEmpty = true

  init?() {
    guard let hasher = try? HashAlgorithm.Hasher(.sha256) else { return nil }
    self.hasher = hasher
  }

  func update(_ bytes: ArraySlice<UInt8>) {
    isEmpty = false
    hasher.update(bytes)
  }

  /// The digest in lower-case hexadecimal, nil where libcrypto failed. Ends the work.
  func finish() -> String? { try? hasher.finish().hexadecimal }

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
