#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif
import Synchronization

/// The programs that run for this one, so that a program that ends early can end them too.
///
/// Starting, ending and reaping are steps under this type's lock: a signal never goes to a process
/// that only has the number of one that was reaped.
package enum ChildProcesses {
  private struct State {
    var running: Set<pid_t> = []
    var isClosed = false
  }

  private static let state = Mutex(State())

  /// Kills all that run, and stops every later start: for a program that is about to end.
  package static func close() {
    state.withLock { state in
      state.isClosed = true
      for child in state.running { kill(child) }
    }
  }

  /// Starts a process, which `spawn` makes the leader of a group. It returns 0 or the number of an
  /// error.
  static func start(_ spawn: (inout pid_t) -> Int32) -> Result<pid_t, SystemError> {
    state.withLock { state in
      guard !state.isClosed else { return .failure(SystemError(number: ECANCELED)) }
      var child: pid_t = 0
      let number = spawn(&child)
      guard number == 0 else { return .failure(SystemError(number: number)) }
      state.running.insert(child)
      return .success(child)
    }
  }

  /// Kills a process with its group.
  static func end(_ child: pid_t) {
    state.withLock { if $0.running.contains(child) { kill(child) } }
  }

  /// How a process ended; nil while it runs.
  static func reap(_ child: pid_t) -> ProcessEnd? {
    state.withLock { state in
      guard state.running.contains(child) else { return .unknown }
      var status: Int32 = 0
      let found = waitpid(child, &status, WNOHANG)
      if found == 0 || (found < 0 && errno == EINTR) { return nil }
      state.running.remove(child)
      return found == child ? ProcessEnd(waitStatus: status) : .unknown
    }
  }

  private static func kill(_ child: pid_t) {
    signal(-child, SIGKILL)
    signal(child, SIGKILL)
  }

  private static func signal(_ target: pid_t, _ number: Int32) {
    #if canImport(Darwin)
      _ = Darwin.kill(target, number)
    #else
      _ = Glibc.kill(target, number)
    #endif
  }
}

/// The number of an error of the system.
package struct SystemError: Error, Equatable {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  /// The system's words for it, as they stand within a sentence.
  package var reason: String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// How a process ended.
package enum ProcessEnd: Sendable, Equatable {
  case status(Int32)
  case signal(Int32)
  /// This process lets the system reap its children.
  case unknown

  /// From what `waitpid(2)` gives.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }
}
