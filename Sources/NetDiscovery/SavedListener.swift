/// The host and port that a server saved in `<data-dir>/server/config.json`.
public struct SavedListener: Sendable, Hashable {
  /// The bind address as saved, nil where none is; ``Listener/Bind/init(parsing:)`` reads it.
  public let host: String?
  /// The port, nil where none is saved.
  public let port: UInt16?

  /// A listener of these parts.
  public init(host: String?, port: UInt16?) {
    self.host = host
    self.port = port
  }

  /// The `host` and `port` of a JSON object in UTF-8; null counts as missing, and nothing else of it
  /// is kept.
  /// - Throws: ``DiscoveryError`` with code `json` for what is no such object, `limit`, and `saved`
  ///   for a number that is no port, and for a host or port that stands there twice.
  public init(
    parsing json: [UInt8], limits: DiscoveryLimits = DiscoveryLimits()
  ) throws(DiscoveryError) {
    let saved = try decodeJSON(
      SavedJSON.self, from: json, subject: "the saved listener", limits: limits)
    _ = try Self.object(in: json)
    port = try saved.port.map { (number) throws(DiscoveryError) in
      guard let port = UInt16(exactly: number), port > 0 else {
        throw DiscoveryError(
          .saved, detail: "the saved listener: port is no whole number from 1 to 65535")
      }
      return port
    }
    host = saved.host
  }
}

private struct SavedJSON: Decodable {
  var host: String?
  var port: Double?
}
