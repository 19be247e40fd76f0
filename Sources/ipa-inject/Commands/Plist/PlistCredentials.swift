internal import ATSMerge
internal import PlistKit

extension PlistValue {
  /// Whether a text or a key in it shows an installation ID. A value that comes to more than anyone
  /// would search, as shared containers can make it, counts as one that may.
  var mayHoldInstallationID: Bool {
    !PlistSize.fits(self, values: 1 << 20, bytes: 64 << 20) || holdsInstallationID
  }

  private var holdsInstallationID: Bool {
    switch self {
    case .dictionary(let dictionary):
      dictionary.entries.contains {
        $0.key.holdsInstallationID || $0.value.holdsInstallationID
      }
    case .array(let items), .set(let items): items.contains { $0.holdsInstallationID }
    case .string(let text): text.holdsInstallationID
    default: false
    }
  }
}

extension String {
  fileprivate var holdsInstallationID: Bool {
    // None is shorter than its four visible digits and the least that is hidden of one.
    utf8.count >= 24 && Redaction.hidingIDs(in: self) != self
  }
}
