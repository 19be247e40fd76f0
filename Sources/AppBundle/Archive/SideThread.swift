#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif
import Synchronization

/// A check that runs beside the caller on a thread of its own.
final class SideThread: Sendable {
  private let work: @Sendable () -> BundleError?
  private let failure = Mutex<BundleError?>(nil)

  init(_ work: @escaping @Sendable () -> BundleError?) { self.work = work }

  private func run() {
    let found = work()
    failure.withLock { $0 = found }
  }

  /// Runs the check beside `body`, and returns what it found once both are done.
  func failure(beside body: () -> Void) -> BundleError? {
    let object = Unmanaged.passRetained(self)
    #if canImport(Darwin)
      var started: pthread_t?
      let number = pthread_create(&started, nil, Self.entry, object.toOpaque())
    #else
      var thread = pthread_t()
      let number = pthread_create(&thread, nil, Self.entry, object.toOpaque())
      let started: pthread_t? = thread
    #endif
    body()
    if number == 0, let started {
      pthread_join(started, nil)
    } else {
      // There may be no more threads to have; then it runs here.
      object.release()
      run()
    }
    return failure.withLock { $0 }
  }

  #if canImport(Darwin)
    private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? =
      { object in
        Unmanaged<SideThread>.fromOpaque(object).takeRetainedValue().run()
        return nil
      }
  #else
    private static let entry:
      @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { object in
        if let object { Unmanaged<SideThread>.fromOpaque(object).takeRetainedValue().run() }
        return nil
      }
  #endif
}
