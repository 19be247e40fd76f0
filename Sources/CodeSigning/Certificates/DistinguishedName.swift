internal import CLibCrypto

/// The name of a certificate's subject or issuer (RFC 5280, section 4.1.2.4).
public struct DistinguishedName: Sendable, Equatable, CustomStringConvertible {
  /// One attribute of it.
  public struct Attribute: Sendable, Equatable {
    /// The short name (`CN`, `OU`, `O`, `C`, `UID`), or the dotted number where there is none.
    public let type: String
    /// The text.
    public let value: String

    /// An attribute of these two.
    public init(type: String, value: String) {
      self.type = type
      self.value = value
    }
  }

  /// The attributes in their order.
  public let attributes: [Attribute]

  /// A name of these attributes.
  public init(_ attributes: [Attribute]) { self.attributes = attributes }

  /// The text of the first attribute of a type.
  public subscript(type: String) -> String? { attributes.first { $0.type == type }?.value }

  /// `CN`: of a signer what tools call the identity.
  public var commonName: String? { self["CN"] }
  /// `OU`: of a developer's certificate the team's identifier.
  public var organizationalUnit: String? { self["OU"] }
  /// `CN=Name, OU=Unit`, in the certificate's own order.
  public var description: String {
    attributes.map { "\($0.type)=\($0.value)" }.joined(separator: ", ")
  }

  /// Reads a name that libcrypto keeps.
  init(_ name: OpaquePointer?) {
    var attributes: [Attribute] = []
    for index in 0..<max(0, X509_NAME_entry_count(name)) {
      guard let entry = X509_NAME_get_entry(name, index) else { continue }
      let object = X509_NAME_ENTRY_get_object(entry)
      let number = OBJ_obj2nid(object)
      let short = number == NID_undef ? nil : OBJ_nid2sn(number).map { String(cString: $0) }
      attributes.append(
        Attribute(
          type: short ?? LibCrypto.dotted(object),
          value: LibCrypto.text(of: X509_NAME_ENTRY_get_data(entry)) ?? ""))
    }
    self.attributes = attributes
  }
}
