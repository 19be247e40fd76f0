#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A value that one thread at a time sees, and that a thread can wait for a change of. Owns a POSIX mutex
/// and a condition.
package final class Monitor<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs a body with the value, once that is as `isReady` wants it.
  ///
  /// The value is looked at anew after each wait: a body that waited itself would hold it all the time, and
  /// need not see what others made of it.
  package func withLock<Result>(
    when isReady: (Value) -> Bool = { _ in true }, _ body: (inout Value) -> Result
  ) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    while !isReady(value) { pthread_cond_wait(condition, mutex) }
    return body(&value)
  }
}
