/// A stack of values whose upper part can be moved out as a whole, with no copy of a value made.
struct MoveStack<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  /// How many values there are.
  private(set) var count = 0

  /// An empty stack with room for so many values before it grows.
  init(capacity: Int = 32) {
    self.capacity = max(1, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  /// The value at a place counted from the bottom.
  subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(index >= 0 && index < count)
      return base[index]
    }
    @inline(__always) set {
      precondition(index >= 0 && index < count)
      base[index] = newValue
    }
  }

  /// The value on top, which there must be.
  var top: Element {
    @inline(__always) get { self[count - 1] }
  }

  /// Puts a value on top.
  @inline(__always) mutating func push(_ element: consuming Element) {
    if count == capacity { grow() }
    (base + count).initialize(to: element)
    count += 1
  }

  /// The values from a place on, in their order, which stay.
  func from(_ start: Int) -> [Element] {
    withElements(from: start) { Array($0) }
  }

  /// Lends the values from a place on.
  func withElements<Result>(
    from start: Int, _ body: (UnsafeBufferPointer<Element>) -> Result
  ) -> Result {
    precondition(start >= 0 && start <= count)
    return body(UnsafeBufferPointer(start: base + start, count: count - start))
  }

  /// Takes the values from a place on. Each must be moved out of the buffer.
  mutating func take<Result>(
    from start: Int, _ body: (UnsafeMutableBufferPointer<Element>) -> Result
  ) -> Result {
    precondition(start >= 0 && start <= count)
    let taken = UnsafeMutableBufferPointer(start: base + start, count: count - start)
    count = start
    return body(taken)
  }

  /// Takes the values from a place on as an array.
  @inline(__always)
  mutating func takeArray(from start: Int) -> [Element] {
    take(from: start) { taken in
      var array: [Element] = []
      // Made and filled this way the array's code is that of the element's type.
      array.reserveCapacity(taken.count)
      for index in taken.indices { array.append(taken.moveElement(from: index)) }
      return array
    }
  }

  /// Takes the value on top.
  mutating func pop() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return (base + count).move()
  }

  /// Drops the values from a place on.
  mutating func drop(from start: Int) {
    precondition(start >= 0 && start <= count)
    (base + start).deinitialize(count: count - start)
    count = start
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
