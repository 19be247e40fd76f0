import SigningFuzzMain
import SigningFuzzTargets

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  run(.cms, start, count)
}
