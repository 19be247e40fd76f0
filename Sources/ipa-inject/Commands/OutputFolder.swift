#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// A folder for several outputs.
enum OutputFolder {
  /// Makes a folder that is not there. The one above it must be.
  static func make(_ path: String) throws(Failure) {
    guard mkdir(path, 0o777) != 0 else { return }
    let number = errno
    var status = stat()
    if number == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    throw Failure(
      code: "outputNotWritable", status: .cannotCreate,
      message: number == EEXIST
        ? "it is no folder" : "cannot make the folder: \(String.ofSystemError(number))",
      file: path)
  }
}
