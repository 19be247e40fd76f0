#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Threads that share work.
enum Workers {
  /// What the main thread usually has: property lists of 512 levels are walked by recursion.
  static let stackSize = 8 << 20

  /// Runs a body on so many threads and waits for all to end. Where the system gives fewer, those do it;
  /// where it gives none, the calling thread does.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 0..<count {
      guard let thread = start(body) else { break }
      threads.append(thread)
    }
    if threads.isEmpty { body() }
    for thread in threads { pthread_join(thread, nil) }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let argument = Unmanaged.passRetained(Body(body)).toOpaque()
    if let thread = makeThread(argument) { return thread }
    Unmanaged<Body>.fromOpaque(argument).release()
    return nil
  }

  private static func makeThread(_ argument: UnsafeMutableRawPointer) -> pthread_t? {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, stackSize) == 0 else { return nil }
    #if canImport(Darwin)
      var thread: pthread_t?
      let number = pthread_create(&thread, &attributes, { Workers.begin($0) }, argument)
    #else
      var thread = pthread_t()
      let number = pthread_create(&thread, &attributes, { Workers.begin($0) }, argument)
    #endif
    return number == 0 ? thread : nil
  }

  private static func begin(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
}
