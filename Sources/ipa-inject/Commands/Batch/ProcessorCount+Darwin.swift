#if canImport(Darwin)
  internal import Darwin

  /// How many processors this process may use.
  enum ProcessorCount {
    /// Those that are awake.
    static var usable: Int { max(1, sysconf(_SC_NPROCESSORS_ONLN)) }
  }
#endif
