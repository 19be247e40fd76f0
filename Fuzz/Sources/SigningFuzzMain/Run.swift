package import SigningFuzzTargets

/// Gives a target libFuzzer's input, and traps where the target finds a fault, which libFuzzer then
/// keeps as a file.
package func run(
  _ target: SigningFuzzTarget, _ start: UnsafePointer<UInt8>?, _ count: Int
) -> CInt {
  do {
    try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("\(target.rawValue): \(error)")
  }
  return 0
}
