import CodeSigning

/// What must hold for the reader of Mach-O files: what it returns lies in the file.
enum MachOCheck {
  static func run(_ input: [UInt8]) throws(SigningFuzzFailure) {
    let file = try attempt("the file") { () throws(SigningError) in try MachOFile(input) }
    guard let file else { return }
    try require(MachOFile.isMachO(first: input.prefix(8)), "its first bytes tell of no Mach-O file")
    var ranges: [Range<UInt64>] = []
    for slice in file.slices {
      try require(slice.range.upperBound <= UInt64(input.count), "a slice leaves the file")
      try require(!ranges.contains { $0.overlaps(slice.range) }, "slices overlap")
      ranges.append(slice.range)
      try check(slice)
    }
    try checkSeal(input, file)
  }

  private static func check(_ slice: MachOSlice) throws(SigningFuzzFailure) {
    try require(UInt64(slice.loadCommandEnd) <= slice.size, "load commands leave the slice")
    try require(
      slice.loadCommandRoom <= slice.size - UInt64(slice.loadCommandEnd),
      "there is more room than bytes")
    let bytes = slice.loadCommands.map(\.size).reduce(0, +)
    try require(
      bytes == slice.loadCommandBytes, "the commands have not the bytes that are declared")
    for place in [slice.signature?.range, slice.encryption?.range] {
      try require((place?.upperBound ?? 0) <= slice.size, "a place of a command leaves the slice")
    }
    for segment in slice.segments where slice.fileType != .debugSymbols {
      try require(
        segment.fileOffset <= slice.size && segment.fileSize <= slice.size - segment.fileOffset,
        "a segment leaves the slice")
    }
    try require((slice.uuidText?.count ?? 36) == 36, "an UUID of another form")
  }

  private static func checkSeal(
    _ input: [UInt8], _ file: MachOFile
  ) throws(SigningFuzzFailure) {
    let seal = try attempt("the seal") { () throws(SigningError) in
      try ExecutableSeal(of: input, codeResources: [0x78])
    }
    guard let seal else { return }
    for (slice, read) in zip(seal.slices, file.slices) {
      try require(slice.isSigned == (read.signature != nil), "a signature is lost")
      for problem in slice.problems + slice.directories.flatMap(\.problems) {
        try requireLine(problem, "a problem")
      }
      for directory in slice.directories {
        let pages = directory.pages
        try require(directory.cdHash.count == 20, "a CDHash of another length")
        try require(pages.wrongCount <= pages.checked, "more pages are wrong than there are")
        try require(
          pages.firstWrong.count == min(pages.wrongCount, 10), "the wrong pages are not named")
        try require(
          UInt64(pages.checked + pages.unhashed) <= read.size / 512 + 1,
          "more pages are checked than there are")
      }
    }
    try checkThreads(input, seal)
  }

  private static func checkThreads(
    _ input: [UInt8], _ seal: ExecutableSeal
  ) throws(SigningFuzzFailure) {
    // Threads cost more than all else; a few inputs are enough.
    guard input.count % 64 == 0, seal.isSigned else { return }
    let other = try attempt("the seal") { () throws(SigningError) in
      try ExecutableSeal(of: input, codeResources: [0x78], workers: 2)
    }
    let found = seal.slices.map { $0.directories.map(\.pages) }
    try require(
      other?.slices.map { $0.directories.map(\.pages) } == found, "two threads find other pages")
  }
}
