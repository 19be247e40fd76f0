import CodeSigning

/// What must hold for entitlements in DER: they are written as they were read.
enum EntitlementsCheck {
  static func run(_ input: [UInt8]) throws(SigningFuzzFailure) {
    let read = try attempt("the entitlements") { () throws(SigningError) in
      try Entitlements(der: input)
    }
    guard let read else { return }
    let written = try attempt("writing", allowing: [.unsupported, .limit]) {
      () throws(SigningError) in
      try read.der()
    }
    guard let written else { return }
    let again = try attempt("what was written", allowing: []) { () throws(SigningError) in
      try Entitlements(der: written)
    }
    try require(again == read, "what was written is read as something else")
    try require(read.differences(to: read).isEmpty, "entitlements differ from themselves")
  }
}

/// What must hold for the reader of CMS messages: an error or a message, whatever the content.
enum CMSCheck {
  static func run(_ input: [UInt8]) throws(SigningFuzzFailure) {
    for content in [nil, Array("content".utf8)] {
      let message = try attempt("the message", allowing: anyInput.union([.crypto])) {
        () throws(SigningError) in
        try CMSSignature(parsing: input, content: content)
      }
      try require((message?.trailingBytes ?? 0) <= input.count, "more bytes behind than there are")
    }
  }
}

/// What must hold for the reader of profiles: an error or a profile.
enum ProfileCheck {
  static func run(_ input: [UInt8]) throws(SigningFuzzFailure) {
    let profile = try attempt(
      "the profile", allowing: anyInput.union([.crypto]), namesKeys: true
    ) {
      () throws(SigningError) in
      try ProvisioningProfile(parsing: input)
    }
    guard let profile else { return }
    for certificate in profile.certificates {
      try require(profile.contains(certificate), "a certificate of its own is not in it")
    }
  }
}

/// What must hold for the reader of sealed resources: an error or the lists.
enum CodeResourcesCheck {
  static func run(_ input: [UInt8]) throws(SigningFuzzFailure) {
    let resources = try attempt("the resources", namesKeys: true) { () throws(SigningError) in
      try CodeResources(parsing: input)
    }
    for list in [resources?.version1, resources?.version2] {
      for entry in list?.entries ?? [] {
        try require(entry.path.utf8.count <= 2 * input.count, "a path much longer than the file")
      }
    }
  }
}
