import Testing

@testable import AppBundle

@Suite struct TemporaryFileTests {
  private func finish(replace: Bool) -> TemporaryFile.Finish {
    .init(replace: replace, permissions: 0o640, synchronize: true)
  }

  @Test(arguments: [true, false])
  func publishing(canBeNameless: Bool) throws {
    let place = try Workplace()
    let output = try OutputPlace(place.at("out"))
    for (text, replace) in [("first", false), ("second", true)] {
      let file = try TemporaryFile(for: output, canBeNameless: canBeNameless)
      #expect(try place.names().contains("out") == replace)
      try file.write(Array(text.utf8))
      try file.publish(finish(replace: replace), check: { () throws(BundleError) in })
      #expect(try place.read("out") == Array(text.utf8))
      #expect(try Files.mode(place.at("out")) == 0o640)
    }
    #expect(try place.names() == ["out"])
  }

  @Test(arguments: [true, false])
  func failuresLeaveNothing(canBeNameless: Bool) throws {
    let place = try Workplace()
    let output = try OutputPlace(place.at("out"))
    func make() throws -> TemporaryFile {
      let file = try TemporaryFile(for: output, canBeNameless: canBeNameless)
      try file.write([1, 2, 3])
      return file
    }
    _ = try make()
    #expect(try place.names() == [])
    let stopped = code {
      try make().publish(
        finish(replace: true),
        check: { () throws(BundleError) in throw BundleError(.inputChanged, detail: "x") })
    }
    #expect(stopped == .inputChanged)
    #expect(try place.names() == [])
    try place.write("out", "mine".utf8)
    let taken = code {
      try make().publish(finish(replace: false), check: { () throws(BundleError) in })
    }
    #expect(taken == .outputExists)
    #expect(try place.read("out") == Array("mine".utf8))
    #expect(try place.names() == ["out"])
  }

  @Test func halfMadeFilesAreForTheirOwnerAlone() throws {
    let place = try Workplace()
    let file = try TemporaryFile(for: OutputPlace(place.at("out")), canBeNameless: false)
    let name = try #require(try place.names().first)
    #expect(name.hasPrefix("."))
    #expect(try Files.mode(place.at(name)) == 0o600)
    TemporaryFiles.removeAll(below: place.path)
    #expect(try place.names() == [])
    let failed = code {
      try file.publish(finish(replace: true), check: { () throws(BundleError) in })
    }
    #expect(failed == .outputNotWritable)
    #expect(try place.names() == [])
  }

  @Test func whatReadsBackShorterIsAnError() throws {
    final class Counter: CommitObserver {
      var count = 0
      func read(_ block: ArraySlice<UInt8>) { count += block.count }
      func willName() {}
    }
    let place = try Workplace()
    let file = try TemporaryFile(for: OutputPlace(place.at("out")), canBeNameless: false)
    try file.write([1, 2, 3])
    let counter = Counter()
    try file.readBack(to: counter)
    #expect(counter.count == 3)
    let name = try #require(try place.names().first)
    _ = try Tool.run(["truncate", "-s", "2", place.at(name)])
    #expect(code { try file.readBack(to: counter) } == .io)
  }

  @Test func placesOfOutputs() throws {
    let place = try Workplace()
    for path in ["", "/", ".", "..", "\(place.path)/."] {
      #expect(code { _ = try OutputPlace(path) } == .isDirectory, "\(path)")
    }
    #expect(code { _ = try OutputPlace("\(place.path)/a\0b") } == .outputNotWritable)
    #expect(code { _ = try OutputPlace("\(place.path)/none/a") } == .outputNotWritable)
    #expect(try OutputPlace("\(place.path)//a/").path == "\(place.path)/a")
  }
}
