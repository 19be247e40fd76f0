internal import AppBundle

/// A file that a report is written to, such as that of `--html`: for programs that read what was found,
/// beside what is printed for people.
///
/// A regular file of the same name is replaced, as every run of a pipeline makes it anew; one of the
/// inputs is not, nor one that the run was told by, nor another of its reports.
struct ReportFile {
  private let path: String
  private let option: String
  private let file: SideFile

  /// Makes the file, still without a name, so that a place where it cannot go stops the work early.
  init(
    _ path: String, option: String, otherThan inputs: [String], read: [String] = [],
    reports: [ReportFile] = []
  ) throws(Failure) {
    guard !path.isEmpty else { throw Failure.usage(UsageError("\(option) is empty")) }
    self.path = path
    self.option = option
    do throws(BundleError) {
      file = try SideFile(path, replace: true, otherThan: inputs)
      for other in read where try file.replaces(other) {
        throw BundleError(
          .outputOfOtherKind, detail: "it is \(other), which this run reads",
          hint: "name another file")
      }
    } catch { throw Failure(error, file: path) }
    for other in reports where try isSame(as: other) {
      throw Failure.usage(UsageError("\(other.option) and \(option) name one file"))
    }
  }

  /// Whether the two would fall on one another.
  private func isSame(as other: ReportFile) throws(Failure) -> Bool {
    do throws(BundleError) { return try file.replaces(other.path) } catch {
      throw Failure(error, file: path)
    }
  }

  /// Writes the text and gives the file its name.
  func write(_ text: String) throws(Failure) {
    do throws(BundleError) {
      try file.publish(Array(text.utf8), permissions: 0o644)
    } catch { throw Failure(error, file: path) }
  }

  /// Writes a part of the text, behind those before it.
  func append(_ text: String) throws(Failure) {
    do throws(BundleError) { try file.append(Array(text.utf8)) } catch {
      throw Failure(error, file: path)
    }
  }

  /// Gives the file its name, once all parts are written.
  func publish() throws(Failure) {
    do throws(BundleError) { try file.publish(permissions: 0o644) } catch {
      throw Failure(error, file: path)
    }
  }
}
