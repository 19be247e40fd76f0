internal import ATSMerge
internal import AppBundle
internal import CodeSigning

extension LoadedApp {
  /// The code of the app, inside out, with its signatures as they stand.
  /// - Parameters:
  ///   - checksContents: whether code and sealed resources are hashed.
  ///   - workers: how many threads hash; nil for as many as there are processors.
  /// - Returns: nil for a property list by itself.
  /// - Throws: ``Failure`` where libcrypto fails.
  func signature(checksContents: Bool = true, workers: Int? = nil) throws(Failure) -> AppSignature?
  {
    guard bundlePath != nil else { return nil }
    var options = AppSignature.Options()
    options.workers = workers ?? ProcessorCount.usable
    options.checksContents = checksContents
    do throws(SigningError) {
      return try AppSignature(
        of: application, objects: application.codeObjects(), options: options)
    } catch { throw Failure(error, file: path) }
  }
}

extension VerificationSubject.Signing {
  /// What signatures, profiles and entitlements break.
  init(_ problems: [SigningProblem], isRequired: Bool = false) {
    self.init(
      problems: problems.map { problem in
        VerificationSubject.Signing.Problem(
          rule: problem.rule.rawValue, message: problem.message, file: problem.file,
          path: problem.keyPath,
          level: problem.level.flatMap { FindingLevel(rawValue: $0.rawValue) })
      }, isRequired: isRequired)
  }

  /// What `verify` judges of an app's signatures.
  init(verifying signature: AppSignature, isRequired: Bool) {
    self.init(
      signature.uuidProblems + signature.problems + signature.missing, isRequired: isRequired)
  }
}
