internal import AppBundle
internal import PlistKit

extension SigningError {
  /// What went wrong with a member.
  init(_ error: BundleError) {
    let code: Code =
      switch error.code {
      case .limit: .limit
      case .io: .io
      default: .unreadable
      }
    self.init(code, file: error.member, detail: error.detail, hint: error.hint)
  }

  /// Why a property list cannot be read; `what` begins the sentence, nil for the error's own.
  init(_ error: PlistError, reading what: String? = nil) {
    let code: Code =
      switch error.code {
      case .limit: .limit
      case .unknownFormat: .wrongKind
      default: .malformed
      }
    self.init(
      code, detail: (what.map { "\($0) cannot be read as a property list: " } ?? "") + "\(error)")
  }
}

/// Runs what works on an app's members; its errors become those of signing.
func onMembers<Value>(
  _ body: () throws(BundleError) -> Value
) throws(SigningError) -> Value {
  do throws(BundleError) { return try body() } catch { throw SigningError(error) }
}
