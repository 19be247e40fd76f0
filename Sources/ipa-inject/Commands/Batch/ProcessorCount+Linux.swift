#if canImport(Glibc)
  internal import Glibc

  /// How many processors this process may use.
  enum ProcessorCount {
    /// Those that it may run on, and no more than its control group's share of time comes to.
    static var usable: Int {
      let allowed =
        allowed(status: text("/proc/self/status")) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      let shares = groups(text("/proc/self/cgroup")).compactMap {
        share(maximum: text("/sys/fs/cgroup\($0)/cpu.max"))
      }
      return ([allowed] + shares).min() ?? 1
    }

    /// The bits of `Cpus_allowed`. Source: proc_pid_status(5).
    static func allowed(status: String) -> Int? {
      let name = "Cpus_allowed:"
      guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
        return nil
      }
      let count = line.dropFirst(name.count).reduce(0) {
        $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0)
      }
      return count > 0 ? count : nil
    }

    /// The process's group in the unified hierarchy and all above it, each with a slash at the front or
    /// empty. Source: cgroups(7), `/proc/PID/cgroup`.
    static func groups(_ membership: String) -> [String] {
      guard let line = membership.split(separator: "\n").first(where: { $0.hasPrefix("0::") })
      else {
        return []
      }
      let parts = line.dropFirst(3).split(separator: "/")
      return (0...parts.count).map { parts.prefix($0).map { "/" + $0 }.joined() }
    }

    /// Whole processors of a group's `cpu.max`, `QUOTA PERIOD` or `max PERIOD`; a part of one counts as
    /// one. Source: the kernel's cgroup-v2.rst.
    static func share(maximum: String) -> Int? {
      let numbers = maximum.split { $0 == " " || $0 == "\n" }.map { Int($0) }
      guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0,
        period > 0
      else { return nil }
      return max(1, quota / period + (quota % period > 0 ? 1 : 0))
    }

    private static func text(_ path: String) -> String {
      guard let bytes = try? InputFile.readIfPresent(path) else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
#endif
