#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif
import Synchronization

/// Work that a thread of its own does beside the caller, and its result.
package final class SideTask<Value: Sendable>: Sendable {
  private let body: @Sendable () -> Value
  private let result = Mutex<Value?>(nil)
  /// Nil where the system gave no thread, and once it is joined.
  private let thread = Mutex<pthread_t?>(nil)

  /// Starts the work, on a stack of so many bytes where they are given.
  package init(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Value) {
    self.body = body
    let start = ThreadStart { [self] in run() }
    let started = start.begin(stackSize: stackSize)
    thread.withLock { $0 = started }
  }

  deinit { thread.withLock { if let thread = $0 { pthread_detach(thread) } } }

  /// Whether there is a thread that does the work.
  package var isStarted: Bool { thread.withLock { $0 != nil } }

  /// Waits for the result. Where the system gave no thread, the work is done now.
  package func value() -> Value {
    let started = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let started { pthread_join(started, nil) }
    return result.withLock { $0 } ?? body()
  }

  private func run() {
    let value = body()
    result.withLock { $0 = value }
  }
}

/// What a new thread begins with.
private final class ThreadStart: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Starts the thread, nil where the system gives none.
  func begin(stackSize: Int?) -> pthread_t? {
    let argument = Unmanaged.passRetained(self)
    if let thread = Self.begin(argument.toOpaque(), stackSize) { return thread }
    argument.release()
    return nil
  }

  private static func begin(_ argument: UnsafeMutableRawPointer, _ stackSize: Int?) -> pthread_t? {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize, pthread_attr_setstacksize(&attributes, stackSize) != 0 { return nil }
    #if canImport(Darwin)
      var thread: pthread_t?
      let number = pthread_create(&thread, &attributes, { ThreadStart.enter($0) }, argument)
    #else
      var thread = pthread_t()
      let number = pthread_create(&thread, &attributes, { ThreadStart.enter($0) }, argument)
    #endif
    return number == 0 ? thread : nil
  }

  private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
  }
}
