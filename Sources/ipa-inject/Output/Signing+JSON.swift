internal import AppBundle
internal import CodeSigning
internal import PlistKit

extension AppSignature {
  /// The app's signature for programs: of the main executable with every CodeDirectory.
  var json: JSONValue {
    let slices = main?.executable?.slices ?? []
    let signature = mainSignature
    let signer = signer
    return [
      "state": .string(state.rawValue),
      "kind": .optional(kind?.rawValue),
      "teamIdentifier": .optional(teamIdentifier),
      "identity": .optional(identity),
      "identifier": .optional(signature?.codeDirectories.first?.identifier),
      "infoPlistSealed": isInfoPlistSealed.map { .bool($0) } ?? .null,
      "resourcesSealed": areResourcesSealed.map { .bool($0) } ?? .null,
      "contentsChecked": .bool(checksContents),
      "mismatches": .strings(problems.map(\.message)),
      "signingTime": JSONValue(signer?.signingTime),
      "certificates": .array((signer?.chain ?? []).map(\.json)),
      "requirement": .optional(
        designatedRequirement),
      "entitlements": signature?.entitlementValues.map { JSONValue($0) } ?? .null,
      "slices": .array(slices.map(\.json)),
    ]
  }
}

extension CodeSignature {
  /// The entitlements; nil where there are none that can be read.
  var entitlementValues: PlistValue? {
    (try? readEntitlements()).map { .dictionary($0.values) }
  }
}

extension ExecutableSeal.Slice {
  fileprivate var json: JSONValue {
    [
      "architecture": .string(slice.architecture),
      "uuid": .optional(slice.uuidText),
      "platform": .optional(slice.builds.first?.platform.description),
      "minimumOSVersion": .optional(slice.builds.first?.minimumVersion.description),
      "sdk": .optional(slice.builds.first?.sdk.description),
      "encrypted": .bool(slice.encryption?.isEncrypted == true),
      "signed": .bool(isSigned),
      "problem": .optional(error.map { "\($0)" }),
      "codeDirectories": .array(directories.map(\.json)),
    ]
  }
}

extension ExecutableSeal.Directory {
  fileprivate var json: JSONValue {
    [
      "hash": .string(codeDirectory.hashAlgorithm.name),
      "cdHash": .string(cdHash.hexadecimal),
      "identifier": .string(codeDirectory.identifier),
      "version": .string("0x" + String(codeDirectory.version, radix: 16)),
      "flags": .string("0x" + String(codeDirectory.flags.rawValue, radix: 16)),
      "pages": .integer(Int64(pages.checked)), "wrongPages": .integer(Int64(pages.wrongCount)),
      "slots": .object(
        slots.map { (String($0.slot.rawValue), JSONValue.string($0.state.rawValue)) }),
    ]
  }
}

extension Certificate {
  var json: JSONValue {
    [
      "subject": .string(subject.description), "commonName": .optional(commonName),
      "issuer": .optional(issuer.commonName), "sha1": .string(sha1.hexadecimal),
      "notBefore": JSONValue(notBefore), "notAfter": JSONValue(notAfter),
    ]
  }
}

extension ProvisioningProfile {
  /// The profile for programs, as it is at a moment.
  func json(at moment: PlistDate) -> JSONValue {
    [
      "name": .optional(name), "uuid": .optional(uuid), "teamName": .optional(teamName),
      "teamIdentifiers": .strings(teamIdentifiers),
      "applicationIdentifier": .optional(applicationIdentifier),
      "platforms": .strings(platforms),
      "creationDate": JSONValue(creationDate), "expirationDate": JSONValue(expirationDate),
      "expired": isExpired(at: moment).map { .bool($0) } ?? .null,
      "devices": devices.map { .integer(Int64($0.count)) } ?? .null,
      "distribution": .string(distribution.rawValue),
      "certificates": .array(certificates.map(\.json)),
      "signatureValid": signature.isValid.map { .bool($0) } ?? .null,
      "entitlements": JSONValue(.dictionary(entitlements.values)),
      "problems": .strings(problems),
    ]
  }
}

extension JSONValue {
  /// A moment in ISO 8601, null where there is none.
  fileprivate init(_ date: PlistDate?) {
    self = date.map { JSONValue(PlistValue.date($0)) } ?? .null
  }
}
