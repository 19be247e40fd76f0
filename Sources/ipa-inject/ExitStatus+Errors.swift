internal import AppBundle
internal import CodeSigning
internal import NetDiscovery

/// The one place where an error of a library becomes a status of the process.
extension ExitStatus {
  init(_ code: BundleError.Code) {
    switch code {
    case .notFound, .unreadable: self = .noInput
    case .outputExists, .outputNotWritable, .isDirectory, .outputOfOtherKind, .outputInInput:
      self = .cannotCreate
    case .wrongOutputKind: self = .usage
    case .io, .inputChanged: self = .ioError
    case .notAnArchive, .noPayload, .noApplication, .severalApplications, .noInfoPlist,
      .duplicateMember, .infoPlistNotAFile, .notAFile, .noMember, .encrypted, .unsupportedMethod,
      .inconsistent, .overlapping, .checksum, .limit, .truncated, .pathEscapes:
      self = .badInput
    }
  }

  init(_ code: SigningError.Code) {
    switch code {
    case .wrongKind, .truncated, .malformed, .limit, .unsupported, .unreadable: self = .badInput
    case .missing, .signer: self = .unavailable
    case .crypto: self = .defect
    case .io: self = .ioError
    }
  }

  init(_ code: DiscoveryError.Code) {
    switch code {
    case .json, .limit, .saved: self = .badInput
    case .port, .bind, .publicURL: self = .usage
    case .interfaces, .daemon, .boundToLoopback, .boundToUnusable, .boundToAbsent:
      self = .unavailable
    }
  }
}
