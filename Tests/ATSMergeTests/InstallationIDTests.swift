import Testing

@testable import ATSMerge

@Suite struct InstallationIDTests {
  @Test func isRandomLowerCaseHexadecimal() {
    var generator = SystemRandomNumberGenerator()
    let made = (0..<100).map { _ in InstallationID(using: &generator).revealed }
    #expect(Set(made).count == 100)
    #expect(made.allSatisfy { $0.count == 48 && $0.allSatisfy { "0123456789abcdef".contains($0) } })
    // All sixteen digits turn up: 4,800 draws miss one with a chance below 1e-130.
    #expect(Set(made.joined()).count == 16)
  }

  @Test func showsFourDigits() throws {
    let installation = try #require(InstallationID(parsing: id))
    #expect("\(installation)" == "0123…")
  }
}
