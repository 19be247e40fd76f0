/// Tells which of many expressions are found in a path, in one walk over its bytes.
///
/// Sets of the program's steps that were met are kept with their successors, so that a byte mostly costs one
/// look into a table. There is a bound to the sets that are kept, and one to the steps that all walks take
/// together.
struct PatternMatcher {
  /// A set of steps that stand before a byte, or expressions that were found.
  private struct State {
    /// The places in the program, in their order.
    let places: [Int32]
    /// The numbers of the expressions that are found where the path ends here.
    let found: [Int]
    /// The state behind each byte, -1 where it is not known yet.
    var next: [Int32]
  }

  private let program: PatternProgram
  private var states: [State] = []
  private var known: [[Int32]: Int32] = [:]
  private var initial: Int32 = 0
  /// Steps that may still be taken; below zero where they are used up.
  private(set) var budget: Int
  /// When a place was last met while a set is made.
  private var marks: [Int]
  private var mark = 0
  /// Sets that are kept at most; beyond, they are made anew.
  private static let stateLimit = 2048
  /// Places of all sets that are kept.
  private static let placeLimit = 1 << 22
  private var placeCount = 0

  /// A matcher of a program that takes at most so many steps.
  init(_ program: PatternProgram, budget: Int) {
    self.program = program
    self.budget = budget
    marks = [Int](repeating: 0, count: program.steps.count)
    reset()
  }

  /// The numbers of the expressions that are found in a path, nil where the steps are used up.
  mutating func found(in path: ArraySlice<UInt8>) -> [Int]? {
    var state = initial
    for byte in path {
      let next = states[Int(state)].next[Int(byte)]
      if next >= 0 {
        state = next
        continue
      }
      guard budget > 0 else { return nil }
      state = successor(of: state, over: byte)
    }
    return states[Int(state)].found
  }

  private mutating func reset() {
    states = []
    known = [:]
    placeCount = 0
    initial = state(of: closure(program.entries, isStart: true))
  }

  private mutating func successor(of state: Int32, over byte: UInt8) -> Int32 {
    let places = states[Int(state)].places
    var reached: [Int] = []
    for place in places {
      switch program.steps[Int(place)] {
      case .byte(let set): if set.contains(byte) { reached.append(Int(place) + 1) }
      // What was found stays found.
      case .found: reached.append(Int(place))
      default: break
      }
    }
    budget -= places.count
    // An expression may begin at each byte.
    let next = closure(reached + program.entries, isStart: false)
    if states.count >= Self.stateLimit || placeCount >= Self.placeLimit {
      reset()
      return self.state(of: next)
    }
    let number = self.state(of: next)
    states[Int(state)].next[Int(byte)] = number
    return number
  }

  private mutating func state(of places: [Int32]) -> Int32 {
    if let state = known[places] { return state }
    let number = Int32(states.count)
    states.append(
      State(
        places: places, found: foundAtEnd(places), next: [Int32](repeating: -1, count: 256)))
    known[places] = number
    placeCount += places.count
    return number
  }

  /// The places that are reached without a byte and wait for one, for the end, or are at their goal.
  private mutating func closure(
    _ entries: [Int], isStart: Bool = false, isEnd: Bool = false
  ) -> [Int32] {
    mark += 1
    var pending = entries
    var places: [Int32] = []
    while let place = pending.popLast() {
      guard marks[place] != mark else { continue }
      marks[place] = mark
      budget -= 1
      switch program.steps[place] {
      case .byte, .found: places.append(Int32(place))
      case .jump(let target): pending.append(target)
      case .fork(let first, let second):
        pending.append(first)
        pending.append(second)
      case .start: if isStart { pending.append(place + 1) }
      case .end:
        if isEnd { pending.append(place + 1) } else { places.append(Int32(place)) }
      }
    }
    return places.sorted()
  }

  private mutating func foundAtEnd(_ places: [Int32]) -> [Int] {
    closure(places.map(Int.init), isEnd: true).compactMap { place in
      if case .found(let number) = program.steps[Int(place)] { number } else { nil }
    }.sorted()
  }
}
