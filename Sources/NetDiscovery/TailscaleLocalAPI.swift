import Processes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The local API of Tailscale's daemon on this machine.
struct TailscaleLocalAPI: Sendable {
  /// Where a daemon may listen.
  enum Endpoint: Sendable, Hashable {
    /// The path of a unix socket.
    case socket(String)
    /// A port of 127.0.0.1 with the password of the one user who may ask.
    case loopback(port: UInt16, password: String)
  }

  var endpoints: [Endpoint]
  var limits = DiscoveryLimits()

  /// The status that the first daemon with one sends; nil where no daemon listens.
  ///
  /// The parameter keeps out the peers, of which a tailnet can have thousands. No other host name than
  /// this one is allowed (Tailscale, `ipn/localapi`, `validHost`).
  /// - Throws: ``DiscoveryError`` with codes `daemon`, `json` and `limit` where one listens and
  ///   none sends a status.
  func statusJSON(by deadline: Deadline) throws(DiscoveryError) -> [UInt8]? {
    var refusal: DiscoveryError?
    for endpoint in endpoints where refusal == nil || !deadline.isPast {
      do throws(DiscoveryError) {
        if let json = try ask(endpoint, by: deadline) { return json }
      } catch { refusal = refusal ?? error }
    }
    if let refusal { throw refusal }
    return nil
  }

  /// The status that one daemon sends, nil where it is not there.
  private func ask(
    _ endpoint: Endpoint, by deadline: Deadline
  ) throws(DiscoveryError) -> [UInt8]? {
    let response: HTTPResponse
    do throws(HTTPResponse.Failure) {
      guard let found = try Self.exchange(with: endpoint, limits, by: deadline) else { return nil }
      response = found
    } catch { throw DiscoveryError(error) }
    guard response.status == 200 else {
      let said = firstLine(of: response.body).map { " and says \($0)" } ?? ""
      throw DiscoveryError(
        .daemon, detail: "Tailscale's daemon answers with status \(response.status)\(said)")
    }
    return try statusDocument(response.body, from: "Tailscale's daemon")
  }

  private static func exchange(
    with endpoint: Endpoint, _ limits: DiscoveryLimits, by deadline: Deadline
  ) throws(HTTPResponse.Failure) -> HTTPResponse? {
    let socket: LocalSocket
    do throws(LocalSocket.Failure) {
      switch endpoint {
      case .socket(let path): socket = try LocalSocket.connected(to: path, by: deadline)
      case .loopback(let port, _):
        socket = try LocalSocket.connected(toLoopbackPort: port, by: deadline)
      }
    } catch {
      if error.isAbsence || error == .system(ENOTDIR) { return nil }
      throw .source(error)
    }
    do throws(LocalSocket.Failure) { try socket.send(request(to: endpoint)) } catch {
      throw .source(error)
    }
    var reader = HTTPResponseReader(socket, limits: limits)
    return try reader.response()
  }

  private static func request(to endpoint: Endpoint) -> [UInt8] {
    var lines = [
      "GET /localapi/v0/status?peers=false HTTP/1.1", "Host: local-tailscaled.sock",
      "Accept: application/json", "Connection: close",
    ]
    if case .loopback(_, let password) = endpoint {
      lines.append("Authorization: Basic " + base64(Array(":\(password)".utf8)))
    }
    return Array(lines.map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8)
  }
}

extension DiscoveryError {
  fileprivate init(_ failure: HTTPResponse.Failure) {
    switch failure {
    case .source(let failure):
      self.init(.daemon, detail: "Tailscale's daemon \(failure.predicate)")
    case .malformed(let problem):
      self.init(.daemon, detail: "the answer of Tailscale's daemon \(problem)")
    case .limit(let problem):
      self.init(.limit, detail: "the answer of Tailscale's daemon \(problem)")
    }
  }
}

/// A status as it came from somewhere, which messages name: "Tailscale's daemon".
/// - Throws: ``DiscoveryError`` with code `json` where it is plainly none; the rest shows when it is
///   read.
func statusDocument(_ bytes: [UInt8], from source: String) throws(DiscoveryError) -> [UInt8] {
  guard let line = firstLine(of: bytes) else {
    throw DiscoveryError(.json, detail: "\(source) gives an empty answer")
  }
  // What may hold a status is not shown.
  let first = bytes.first { !isBlank($0) }
  guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
    throw DiscoveryError(.json, detail: "\(source) gives no JSON but \(line)")
  }
  return bytes
}

/// The first line that is not blank, quoted; nil where there is none.
func firstLine(of bytes: [UInt8]) -> String? {
  let text = bytes.drop(while: isBlank).prefix {
    $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
  }
  return text.isEmpty ? nil : quoted(String(decoding: text.prefix(1024), as: UTF8.self))
}

private func isBlank(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
}
