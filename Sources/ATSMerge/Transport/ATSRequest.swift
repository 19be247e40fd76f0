public import NetDiscovery

/// A URL that an app may want to load.
///
/// Installation IDs in it are hidden in its description.
public struct ATSRequest: Sendable, CustomStringConvertible {
  /// What App Transport Security makes of its scheme.
  enum Target: Sendable {
    case governed(Destination)
    /// A scheme that it does not look at.
    case other(scheme: String)
  }

  /// The URL as it was given.
  let text: String
  let target: Target

  /// The URL as people may see it.
  public var description: String { Redaction.hidingIDs(in: text) }

  /// What of it is looked at: scheme, host and port, or of another scheme that alone.
  public var origin: String {
    switch target {
    case .governed(let destination): destination.origin
    case .other(let scheme): scheme + ":"
    }
  }

  /// Reads an absolute URL. Of one that is `http` or `https` the host and port are checked, of others
  /// the scheme alone (RFC 3986, 3.1).
  /// - Throws: ``HostError`` with any of its codes.
  public init(parsing text: String) throws(HostError) {
    self.text = text
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let isScheme = scheme.first?.isLetter == true && text.dropFirst(scheme.count).first == ":"
    let isPort = text.dropFirst(scheme.count + 1).first?.isNumber ?? true
    if isScheme, !isPort, Scheme(rawValue: scheme.lowercased()) == nil {
      target = .other(scheme: scheme.lowercased())
    } else {
      target = .governed(try Destination(ofURL: text))
    }
  }

  /// An update URL.
  public init(_ url: UpdateURL) {
    text = url.description
    target = .governed(Destination(scheme: url.scheme, host: url.host, port: url.port))
  }
}

extension ATSPolicy {
  /// What the settings say of a URL. A scheme other than `http` and `https` is not governed, and so
  /// allowed.
  public func decision(
    on request: ATSRequest, os: ATSGeneration = .newest, context: ATSContext = .session
  ) -> ATSDecision {
    switch request.target {
    case .governed(let target):
      return decision(scheme: target.scheme, host: target.host, on: os, context: context)
    case .other(let scheme):
      var decision = ATSDecision(
        isAllowed: true,
        reason: "App Transport Security governs http and https, and says nothing of \(scheme)")
      decision.trace = [ATSStep(path: nil, outcome: .decides, detail: decision.reason)]
      return decision
    }
  }
}
