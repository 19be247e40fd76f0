#if os(Linux)
  import Testing

  @testable import ipa_inject

  /// What the kernel says of the processors that a process may use.
  @Suite struct ProcessorCountTests {
    @Test func thereIsOne() { #expect(ProcessorCount.usable >= 1) }

    @Test(arguments: [
      ("Name:\tx\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n", 2),
      ("Cpus_allowed:\tffffffff,0000000f\n", 36), ("Cpus_allowed:\t0\n", nil), ("", nil),
    ])
    func allowed(_ status: String, _ count: Int?) {
      #expect(ProcessorCount.allowed(status: status) == count)
    }

    @Test(arguments: [
      ("0::/\n", [""]), ("9:cpu:/x\n0::/a/b\n", ["", "/a", "/a/b"]), ("9:cpu:/x\n", []), ("", []),
    ])
    func groups(_ membership: String, _ groups: [String]) {
      #expect(ProcessorCount.groups(membership) == groups)
    }

    @Test(arguments: [
      ("max 100000\n", nil), ("200000 100000\n", 2), ("150000 100000\n", 2), ("1000 100000\n", 1),
      ("0 100000\n", nil), ("1 0\n", nil), ("", nil), ("x y z\n", nil),
      ("9223372036854775807 1\n", Int.max),
    ])
    func share(_ text: String, _ count: Int?) {
      #expect(ProcessorCount.share(maximum: text) == count)
    }
  }
#endif
