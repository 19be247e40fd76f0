#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  // The C library's list of variables is a global of no isolation; nothing here changes it.
  @preconcurrency import Glibc
#endif

/// How a process is started: with its own group, nothing to read, no other descriptor of this program
/// than it is given, all signals as the system has them and none blocked.
struct SpawnSettings: ~Copyable {
  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
  #endif

  private let actions: UnsafeMutablePointer<FileActions>
  private let attributes: UnsafeMutablePointer<Attributes>

  init() {
    actions = .allocate(capacity: 1)
    attributes = .allocate(capacity: 1)
    posix_spawn_file_actions_init(actions)
    posix_spawnattr_init(attributes)
    posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(attributes, &signals)
    sigfillset(&signals)
    for fixed in [SIGKILL, SIGSTOP] { sigdelset(&signals, fixed) }
    posix_spawnattr_setsigdefault(attributes, &signals)
    posix_spawnattr_setpgroup(attributes, 0)
    var flags = Int32(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    posix_spawnattr_setflags(attributes, Int16(truncatingIfNeeded: flags))
  }

  deinit {
    posix_spawn_file_actions_destroy(actions)
    posix_spawnattr_destroy(attributes)
    actions.deallocate()
    attributes.deallocate()
  }

  /// Gives the process a descriptor of this one under another number.
  func add(_ descriptor: Int32, as number: Int32) {
    posix_spawn_file_actions_adddup2(actions, descriptor, number)
  }

  /// Starts a program with this process's variables, but for those that are given anew.
  func start(
    _ path: String, arguments: [String], variables: [String]
  ) -> Result<pid_t, SystemError> {
    withCStrings([path] + arguments) { arguments in
      withCStrings(variables, beside: Self.variables) { variables in
        ChildProcesses.start { child in
          posix_spawn(&child, path, actions, attributes, arguments, variables)
        }
      }
    }
  }

  private static var variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    #if canImport(Darwin)
      _NSGetEnviron().pointee
    #else
      environ
    #endif
  }

  /// A list of C strings that ends with a null pointer; those of `others` stand behind the new ones
  /// where they do not begin with the name of one, as in `NAME=value`.
  private func withCStrings<Value>(
    _ strings: [String], beside others: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = nil,
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    let owned = strings.map { strdup($0) }
    defer { for string in owned { free(string) } }
    let names = strings.map { $0.prefix { $0 != "=" } + "=" }
    var list = owned
    var next = others
    while let string = next?.pointee {
      if !names.contains(where: { strncmp(string, String($0), $0.utf8.count) == 0 }) {
        list.append(string)
      }
      next = next?.successor()
    }
    list.append(nil)
    return list.withUnsafeBufferPointer { pointer in
      // The list is not empty, so it has an address.
      pointer.baseAddress.map(body) ?? withUnsafePointer(to: nil) { body($0) }
    }
  }
}
