internal import AppBundle

/// Threads that share work.
enum Workers {
  /// What the main thread usually has: property lists of 512 levels are walked by recursion.
  static let stackSize = 8 << 20

  /// Runs a body on so many threads and waits for all to end. Where the system gives fewer, those do it;
  /// where it gives none, the calling thread does.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var tasks: [SideTask<Void>] = []
    for _ in 0..<count {
      let task = SideTask(stackSize: stackSize, body)
      // One that is not started would run the body again in the end.
      guard task.isStarted || tasks.isEmpty else { break }
      tasks.append(task)
    }
    for task in tasks { task.value() }
  }
}
