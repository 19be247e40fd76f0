internal import AppBundle

/// Writes one document on all inputs of `batch verify` for each of its files, and one to standard output
/// where that was asked for. Each part is written when the inputs before it have ended.
final class VerifyMerging: BatchMerging {
  private struct State {
    var files: OpenedVerifyFiles
    var printed: (any ReportDocument)?
    /// Why no more is written.
    var failure: Failure?
  }

  let replacesLines: Bool
  private let output: Console
  private let state: Monitor<State>

  init(files: OpenedVerifyFiles, printed: (any ReportDocument)?, output: Console) {
    replacesLines = printed != nil
    self.output = output
    state = Monitor(State(files: files, printed: printed))
    write { $0.head() }
  }

  func add(_ outcome: BatchOutcome) {
    let input: VerifiedInput
    switch outcome.result {
    case .success(let report):
      guard let result = report as? VerifyResult else { return }
      input = .report(result.report)
    case .failure(let failure): input = .failure(input: outcome.input, failure)
    }
    write { $0.piece(of: input) }
  }

  func finish(status: ExitStatus) throws(Failure) {
    write { $0.tail(status: status) }
    let result: Result<Void, Failure> = state.withLock { state in
      if let failure = state.failure { return .failure(failure) }
      do throws(Failure) {
        for file in state.files.files { try file.file.publish() }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  private func write(_ part: (inout any ReportDocument) -> String) {
    state.withLock { state in
      guard state.failure == nil else { return }
      do throws(Failure) {
        for index in state.files.files.indices {
          let text = part(&state.files.files[index].document)
          try state.files.files[index].file.append(text)
        }
        if var document = state.printed {
          let text = part(&document)
          state.printed = document
          if !output.write(text) { throw Tool.unprintable }
        }
      } catch { state.failure = error }
    }
  }
}
