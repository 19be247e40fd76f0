#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

internal import Processes

/// Small files that a signing needs: keys, certificates, profiles, entitlements, passwords.
package enum SigningFile {
  /// Bytes of a key, a certificate or a PKCS #12 file.
  package static let keyLimit = 1 << 20

  /// All bytes of a file.
  /// - Throws: ``SigningError`` with codes `unreadable`, `limit`, with the file.
  package static func bytes(of path: String, limit: Int) throws(SigningError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path) }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= limit else {
        throw SigningError(
          .limit, file: path, detail: "it has more than the \(limit) bytes that are read")
      }
    }
  }

  private static func failure(_ path: String) -> SigningError {
    SigningError(.unreadable, file: path, detail: SystemError(number: errno).reason)
  }
}

extension SigningKey {
  /// The key of a request, from the files that it names.
  /// - Throws: ``SigningError`` as the other initializers, with the file.
  package convenience init(of request: SignerRequest) throws(SigningError) {
    if let path = request.p12Path {
      let bytes = try SigningFile.bytes(of: path, limit: SigningFile.keyLimit)
      do throws(SigningError) { try self.init(p12: bytes, password: request.password) } catch {
        throw error.inFile(path)
      }
      return
    }
    guard let keyPath = request.keyPath, let certificatePath = request.certificatePath else {
      throw SigningError(
        .missing, detail: "a key goes with its certificate", hint: "--key FILE --certificate FILE")
    }
    let key = try SigningFile.bytes(of: keyPath, limit: SigningFile.keyLimit)
    let certificates = try SigningFile.bytes(of: certificatePath, limit: SigningFile.keyLimit)
    do throws(SigningError) {
      try self.init(key: key, certificates: certificates, password: request.password)
    } catch {
      throw error.inFile(
        error.code == .wrongKind && error.detail.contains("certificate") ? certificatePath : keyPath
      )
    }
  }
}
