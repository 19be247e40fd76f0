internal import AppBundle
internal import Processes
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Ends the process on SIGINT and SIGTERM after ending what runs for it and removing what is half made.
///
/// The signals are blocked and a thread of its own waits for them, so that removing files is
/// ordinary code and not a signal handler's.
enum Interruption {
  private static let isUnderway = Atomic(false)
  /// What a terminal is cleared of.
  private static let display = Mutex<ProgressDisplay?>(nil)

  /// Where a signal has come, waits for the end that it brings: what fails now fails because of what
  /// was removed, and nobody is to hear of that.
  static func yield() {
    while isUnderway.load(ordering: .acquiring) { sleep(1) }
  }

  /// Starts waiting. Call it once, before any other thread is there.
  static func begin(_ display: ProgressDisplay? = nil) {
    Self.display.withLock { $0 = display }
    var signals = Self.signals
    guard pthread_sigmask(SIG_BLOCK, &signals, nil) == 0 else { return }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failed = pthread_create(&thread, nil, { _ in Interruption.wait() }, nil) != 0
    if failed { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
  }

  /// The signals that are waited for: a caller that has one ignored, as a shell does for a job in the
  /// background, is right.
  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      let isIgnored = sigaction(number, nil, &action) == 0 && isIgnoring(action)
      if !isIgnored { sigaddset(&signals, number) }
    }
    return signals
  }

  private static func isIgnoring(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func wait() -> UnsafeMutableRawPointer? {
    var signals = Self.signals
    var received: Int32 = 0
    while sigwait(&signals, &received) != 0 {}
    isUnderway.store(true, ordering: .releasing)
    // First those who might write something more.
    ChildProcesses.close()
    TemporaryFiles.close()
    display.withLock { $0 }?.endAtOnce()
    _exit(128 + received)
  }
}
