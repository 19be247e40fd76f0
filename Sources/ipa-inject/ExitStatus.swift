#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// What the process ends with, after `sysexits.h`.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Findings, a difference, or a denied URL.
  case findings = 1
  case usage = 64
  case badInput = 65
  case noInput = 66
  case unavailable = 69
  case defect = 70
  case cannotCreate = 73
  case ioError = 74
}

/// Ends the process.
func exit(with status: ExitStatus) -> Never {
  Interruption.yield()
  exit(status.rawValue)
}
