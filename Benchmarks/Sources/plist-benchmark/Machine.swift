internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Where a report was measured.
struct Machine {
  let system = ProcessInfo.processInfo.operatingSystemVersionString
  let processor = Machine.processorName
  let cores = ProcessInfo.processInfo.processorCount

  /// Programs that ran or waited for a processor over the last minute, on average.
  static var load: Double {
    var loads = [0.0]
    return getloadavg(&loads, 1) == 1 ? loads[0] : 0
  }

  private static var processorName: String {
    if let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
      let name = line.split(separator: ":").last
    {
      return name.trimmingCharacters(in: .whitespaces)
    }
    return Programs.output(of: ["/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string"]) ?? "unknown"
  }
}
