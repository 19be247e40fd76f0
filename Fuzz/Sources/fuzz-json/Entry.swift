import FuzzMain
import PlistFuzzTargets

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  run(.json, start, count)
}
