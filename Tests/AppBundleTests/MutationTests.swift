import Testing

@testable import AppBundle

/// Archives with bytes changed here and there: whatever is still accepted is edited rightly.
@Suite struct MutationTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func damagedArchives(seed: UInt64) throws {
    let place = try Workplace()
    let good = Sample.archive {
      $0.change { $0.hasDescriptor = seed == 2 }
      $0.change("Payload/Demo.app/z.txt") { $0.usesZip64 = true }
      $0.usesZip64 = seed == 3
    }.bytes()
    // Members' data are the larger part, so most changes go to headers and directory.
    let headers = good.indices.filter { $0 < 200 || $0 > 2200 }
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var accepted = 0
    for _ in 0..<400 {
      var bytes = good
      for _ in 0...random(3) {
        bytes[headers[random(headers.count)]] = [0, 0xFF, 0x80, UInt8(random(256))][random(4)]
      }
      if random(8) == 0 { bytes.removeLast(random(bytes.count)) }
      let path = try place.write("a.ipa", bytes)
      let failure = code {
        let app = try Application.open(path)
        let wanted = try app.infoPlist() + [0x20]
        try app.commit(
          wanted, to: .path(place.at("b.ipa"), replace: true), options: .init(synchronize: false))
        let edited = try Application.open(place.at("b.ipa"))
        #expect(try edited.infoPlist() == wanted)
        #expect(edited.entryCount == app.entryCount)
        _ = code { _ = try edited.memberDifferences(from: app) }
        accepted += 1
      }
      #expect(failure != .io)
    }
    #expect(accepted > 20)
  }
}
