#if canImport(Glibc)
  import Glibc

  extension ExtendedAttributes {
    /// Copies all attributes, and returns the names of the user's own that could not be copied.
    static func copy(from source: Int32, to target: Int32) -> [String] {
      var lost: [String] = []
      let names = names(of: source)
      // A new file has the list that its folder hands down; where the original has none, that would let
      // in whom the original keeps out.
      let list = "system.posix_acl_access".utf8CString
      if !names.contains(where: { $0.elementsEqual(list) }) {
        list.withUnsafeBufferPointer { name in
          if let name = name.baseAddress { _ = Calls.remove?(target, name) }
        }
      }
      for name in names {
        guard let value = value(of: name, in: source) else { continue }
        let isKept = name.withUnsafeBufferPointer { name in
          value.withUnsafeBytes { value in
            name.baseAddress.map { Calls.set($0, value, target) == 0 } ?? false
          }
        }
        let shown = MemberName.display(name.dropLast().map { UInt8(bitPattern: $0) })
        if !isKept, shown.hasPrefix("user.") { lost.append(shown) }
      }
      return lost.sorted()
    }

    /// The names, each with the zero byte at its end; none where the file system has no attributes.
    private static func names(of file: Int32) -> [[CChar]] {
      let list = growing { Calls.list?(file, $0.baseAddress, $0.count) ?? -1 } ?? []
      return list.split(separator: 0).map { $0 + [0] }
    }

    /// The value, nil where it cannot be read or went meanwhile.
    private static func value(of name: [CChar], in file: Int32) -> [CChar]? {
      growing { value in
        name.withUnsafeBufferPointer { name in
          name.baseAddress.map { Calls.get?(file, $0, value.baseAddress, value.count) ?? -1 } ?? -1
        }
      }
    }

    /// What a call writes into a buffer that is large enough; nil on an error. The system allows 64 KiB
    /// for a value and for the list (`<linux/limits.h>`).
    private static func growing(_ call: (UnsafeMutableBufferPointer<CChar>) -> Int) -> [CChar]? {
      for size in [1 << 10, 1 << 16] {
        var count = -1
        let bytes = [CChar](unsafeUninitializedCapacity: size) { buffer, length in
          count = call(buffer)
          length = max(0, count)
        }
        if count >= 0 { return bytes }
        guard errno == ERANGE else { return nil }
      }
      return nil
    }
  }

  /// `flistxattr(2)` and its kin, which the module map of the C library leaves out.
  private enum Calls {
    typealias List = @convention(c) (Int32, UnsafeMutablePointer<CChar>?, Int) -> Int
    typealias Get =
      @convention(c) (
        Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
      ) -> Int
    typealias Set =
      @convention(c) (
        Int32, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32
      ) -> Int32

    typealias Remove = @convention(c) (Int32, UnsafePointer<CChar>) -> Int32

    static let list = dlsym(nil, "flistxattr").map { unsafeBitCast($0, to: List.self) }
    static let get = dlsym(nil, "fgetxattr").map { unsafeBitCast($0, to: Get.self) }
    static let remove = dlsym(nil, "fremovexattr").map { unsafeBitCast($0, to: Remove.self) }
    private static let fsetxattr = dlsym(nil, "fsetxattr").map { unsafeBitCast($0, to: Set.self) }

    static func set(
      _ name: UnsafePointer<CChar>, _ value: UnsafeRawBufferPointer, _ file: Int32
    ) -> Int32 {
      fsetxattr?(file, name, value.baseAddress, value.count, 0) ?? -1
    }
  }
#endif
