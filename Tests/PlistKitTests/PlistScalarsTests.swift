import Testing

@testable import PlistKit

@Suite struct PlistScalarsTests {
  @Test func integersReachFromBothEnds() {
    #expect(PlistInteger(Int64.min).description == "-9223372036854775808")
    #expect(PlistInteger(UInt64.max).description == "18446744073709551615")
    #expect(PlistInteger(UInt64.max).int64 == nil)
    #expect(PlistInteger(Int64(-1)).uint64 == nil)
    #expect(PlistInteger(Int64(5)) == PlistInteger(UInt64(5)))
    #expect(PlistInteger(Int64(-1)) != PlistInteger(UInt64.max))
  }

  @Test func realsCompareByTheirBits() {
    #expect(PlistReal(Double.nan) == PlistReal(Double.nan))
    #expect(PlistReal(0.0) != PlistReal(-0.0))
    #expect(PlistReal(Float(1.5)) != PlistReal(1.5))
    #expect(Set([PlistReal(Double.nan), PlistReal(Double.nan)]).count == 1)
  }

  @Test func datesCompareByTheirBits() {
    let never = PlistDate(secondsSince2001: .nan)
    #expect(never == PlistDate(secondsSince2001: .nan))
    #expect(PlistDate(secondsSince2001: 0.5) != PlistDate(secondsSince2001: 0.25))
  }
}
