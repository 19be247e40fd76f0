import CodeSigning

/// What must hold for the reader of signatures: blobs and hashes lie inside, and nothing in them is read
/// beyond its end.
enum SuperBlobCheck {
  static func run(_ input: [UInt8]) throws(SigningFuzzFailure) {
    let signature = try attempt("the signature") { () throws(SigningError) in
      try CodeSignature(parsing: input)
    }
    guard let signature else { return }
    try require(signature.length <= input.count, "the signature leaves the bytes")
    var ranges: [Range<Int>] = []
    for blob in signature.blobs {
      try require(!ranges.contains { $0.overlaps(blob.range) }, "blobs overlap")
      ranges.append(blob.range)
      try require(Array(input[blob.range]) == blob.bytes, "a blob has other bytes than its place")
      try requireLine(blob.slot.description, "a slot's name")
    }
    try require(
      Set(signature.blobs.map(\.slot)).count == signature.blobs.count, "a slot is there twice")
    for directory in signature.codeDirectories { try check(directory) }
    try checkContents(of: signature)
  }

  private static func check(_ directory: CodeDirectory) throws(SigningFuzzFailure) {
    let length = directory.hashAlgorithm.length
    for index in 0..<directory.codeSlotCount {
      try require(directory.codeHash(index)?.count == length, "a code slot has no hash")
    }
    try require(
      directory.codeHash(directory.codeSlotCount) == nil, "a code slot more than declared")
    for number in 1..<directory.specialSlotCount + 1 {
      let hash = directory.specialHash(CodeSignatureSlot(rawValue: UInt32(number)))
      try require(hash?.count == length, "a special slot has no hash")
    }
    for page in 0..<min(directory.pageCount, 4096) {
      let slot = directory.codeSlot(ofPage: page)
      try require((slot ?? 0) < max(directory.codeSlotCount, 1), "a page has a slot too many")
    }
    try require(!directory.identifier.unicodeScalars.contains("\0"), "NUL in the identifier")
  }

  private static func checkContents(of signature: CodeSignature) throws(SigningFuzzFailure) {
    let requirements = try attempt("requirements") { () throws(SigningError) in
      try signature.requirements()
    }
    for requirement in (requirements ?? []) ?? [] {
      try requireLine(requirement.text, "a requirement's text")
    }
    _ = try attempt("the CMS", allowing: anyInput.union([.crypto])) { () throws(SigningError) in
      try signature.cmsSignature()
    }
  }
}

/// What must hold for the reader of requirements: a text of one line.
enum RequirementsCheck {
  static func run(_ input: [UInt8]) throws(SigningFuzzFailure) {
    let set = try attempt("the set") { () throws(SigningError) in
      try CodeRequirement.set(parsing: input)
    }
    let single = try attempt("the requirement") { () throws(SigningError) in
      try CodeRequirement(parsing: input, kind: .designated)
    }
    for requirement in (set ?? []) + (single.map { [$0] } ?? []) {
      try requireLine(requirement.text, "a requirement's text")
      try requireLine(requirement.kind.description, "a requirement's kind")
      try require(
        requirement.text.utf8.count <= 16 * input.count + 256, "a text much longer than its bytes")
    }
  }
}
