#if os(Linux)
  /// Why the system bus, or somebody on it, gave no answer.
  enum DBusError: Error, Equatable {
    /// No bus listens.
    case noBus
    /// A step on the socket failed.
    case socket(LocalSocket.Failure)
    /// The bus ended the connection.
    case closed
    /// The bus does not let this user in; its words.
    case refused(String)
    /// Bytes that are not D-Bus; what is wrong with them.
    case malformed(String)
    /// More than a bound allows: bytes, or messages that are no answer.
    case flood(String)
    /// An error in place of an answer, by its name.
    case reply(String)

    /// Whether nobody owns the name that was called. A bus says so when it may not start the owner.
    var isNobodyThere: Bool {
      guard case .reply(let name) = self else { return false }
      return name == "org.freedesktop.DBus.Error.ServiceUnknown"
        || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
    }

    /// What happened, to follow the name of who was asked.
    var predicate: String {
      switch self {
      case .noBus: "is not there"
      case .socket(let failure): failure.predicate
      case .closed: "ended the connection"
      case .refused(let text): "refuses this user: \(quoted(text))"
      case .malformed(let text): "sent what is not D-Bus: \(text)"
      case .flood(let text): "sent too much: \(text)"
      case .reply(let name): "answered with the error \(quoted(name))"
      }
    }
  }
#endif
