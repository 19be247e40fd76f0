#if os(Linux)
  /// A method call without arguments.
  struct DBusCall {
    let destination: String
    let path: String
    let interface: String
    let member: String

    /// The first call on each connection, without which the bus sends nothing on.
    static let hello = DBusCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
      interface: "org.freedesktop.DBus", member: "Hello")

    /// The call's bytes, little-endian (D-Bus specification, "Message format").
    ///
    /// It carries NO_AUTO_START: asking never starts who is asked.
    func message(serial: UInt32) -> [UInt8] {
      var fields: [UInt8] = []
      let texts: [(code: UInt8, type: Unicode.Scalar, text: String)] = [
        (1, "o", path), (6, "s", destination), (2, "s", interface), (3, "s", member),
      ]
      for field in texts {
        Self.pad(&fields)
        fields += [field.code, 1, UInt8(ascii: field.type), 0]
        Self.append(UInt32(clamping: field.text.utf8.count), to: &fields)
        fields += Array(field.text.utf8) + [0]
      }
      let noAutoStart: UInt8 = 2
      var message: [UInt8] = [
        UInt8(ascii: "l"), DBusMessage.Kind.methodCall.rawValue, noAutoStart, 1,
      ]
      Self.append(0, to: &message)
      Self.append(serial, to: &message)
      Self.append(UInt32(clamping: fields.count), to: &message)
      message += fields
      Self.pad(&message)
      return message
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Zeros up to the next multiple of 8, where a structure starts.
    private static func pad(_ bytes: inout [UInt8]) {
      bytes += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    }
  }
#endif
