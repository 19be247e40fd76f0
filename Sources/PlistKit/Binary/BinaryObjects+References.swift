/// Whether references lead to an object, of all containers of a file.
enum ReferenceCount {
  static let none: UInt32 = 0
  static let once: UInt32 = 1
  static let several: UInt32 = 3
}

extension BinaryObjects {
  /// How many references lead to each object (``ReferenceCount``), one of them the root's.
  ///
  /// Containers that nothing reaches count too. Where containers overlap so that this would take
  /// long, several may lead to each object.
  func referenceCounts() -> [UInt32] {
    var counts = [UInt32](repeating: ReferenceCount.none, count: count)
    let isComplete = counts.withUnsafeMutableBufferPointer { counts in
      counts[trailer.topObject] = ReferenceCount.once
      return countReferences(in: counts)
    }
    return isComplete ? counts : Array(repeating: ReferenceCount.several, count: count)
  }

  private func countReferences(in counts: UnsafeMutableBufferPointer<UInt32>) -> Bool {
    let end = UInt64(count)
    let width = referenceWidth
    let bytes = bytes
    var steps = 0
    for index in 0..<count {
      let offset = offset(of: index)
      guard bytes[offset] >= 0xA0, let object = try? object(at: index) else { continue }
      let references = object.referenceCount
      steps += references
      guard steps <= bytes.count else { return false }
      var reference = object.payload
      for _ in 0..<references {
        let next = bytes.bigEndian(at: reference, width)
        reference &+= width.size
        // A wrong one is found by what reads the container.
        guard next < end else { continue }
        let place = Int(truncatingIfNeeded: next)
        // 0 becomes 1, and 1 becomes 3.
        counts[place] = (counts[place] &<< 1 | 1) & 3
      }
    }
    return true
  }
}

extension BinaryObjects {
  /// The bytes of an object.
  @inline(__always)
  func bytes(of object: BinaryObject) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[object.offset..<object.end])
  }

  /// The bytes of a dictionary's references to its keys.
  @inline(__always)
  func keyReferences(of object: BinaryObject) -> UnsafeRawBufferPointer {
    let end = object.payload + object.count * trailer.referenceSize
    return UnsafeRawBufferPointer(rebasing: bytes[object.payload..<end])
  }
}

extension BinaryObjects {
  /// How many references from containers that the root reaches lead to each object, with one for
  /// the root itself; 2 stands for more too.
  func countUses() throws(PlistError) -> [UInt8] {
    var uses = [UInt8](repeating: 0, count: count)
    uses[trailer.topObject] = 1
    var stack = [Int32(truncatingIfNeeded: trailer.topObject)]
    while let index = stack.popLast() {
      let object = try object(at: Int(index))
      for position in 0..<object.referenceCount {
        let next = try reference(position, of: object)
        if uses[next] == 0 {
          uses[next] = 1
          if isContainer(next) { stack.append(Int32(truncatingIfNeeded: next)) }
        } else {
          uses[next] = 2
        }
      }
    }
    return uses
  }

  /// Whether an object has a marker of a container, or of something that no reader knows.
  @inline(__always)
  func isContainer(_ index: Int) -> Bool { bytes[offset(of: index)] >= 0xA0 }
}
