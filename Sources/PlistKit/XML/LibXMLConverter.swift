internal import CLibXML2

/// One owner of a libxml2 character-encoding handler.
struct LibXMLConverter: ~Copyable {
  private let handler: xmlCharEncodingHandlerPtr

  /// The converter of an encoding, nil for a name that neither libxml2 nor iconv knows.
  init?(_ name: String) {
    LibXML.initialize()
    guard let handler = xmlFindCharEncodingHandler(name) else { return nil }
    self.handler = handler
  }

  deinit { _ = xmlCharEncCloseFunc(handler) }

  /// The text in UTF-8, nil where the bytes are none.
  func decode(_ bytes: [UInt8]) -> [UInt8]? {
    convert(bytes) { xmlCharEncInFunc(handler, $0, $1) }
  }

  /// UTF-8 text in the encoding. libxml2 writes a character that it lacks as a character reference.
  func encode(_ text: [UInt8]) -> [UInt8]? {
    convert(text) { xmlCharEncOutFunc(handler, $0, $1) }
  }

  /// Feeds a buffer to a function that takes from its start what it can, until all is taken.
  private func convert(
    _ bytes: [UInt8], by step: (xmlBufferPtr, xmlBufferPtr) -> Int32
  ) -> [UInt8]? {
    guard let count = Int32(exactly: bytes.count), let input = xmlBufferCreate() else { return nil }
    defer { xmlBufferFree(input) }
    guard let output = xmlBufferCreate() else { return nil }
    defer { xmlBufferFree(output) }
    guard xmlBufferAdd(input, bytes, count) == 0 else { return nil }
    return LibXML.withoutMessages {
      var left = count
      while left > 0 {
        let result = step(output, input)
        let rest = xmlBufferLength(input)
        guard result >= 0 || rest < left, rest < left else { return nil }
        left = rest
      }
      guard let content = xmlBufferContent(output) else { return nil }
      return Array(UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(output))))
    }
  }
}

/// What all uses of libxml2 share.
enum LibXML {
  private static let initialized: Void = xmlInitParser()

  /// Sets up libxml2's tables, once, before another thread can use them.
  static func initialize() { _ = initialized }

  /// Runs a call whose errors have no context to go to, and would go to standard error. The handler
  /// belongs to the thread and is put back.
  static func withoutMessages<Result>(_ body: () -> Result) -> Result {
    let handler = __xmlStructuredError()?.pointee
    let context = __xmlStructuredErrorContext()?.pointee
    xmlSetStructuredErrorFunc(nil) { _, _ in }
    defer { xmlSetStructuredErrorFunc(context, handler) }
    return body()
  }
}
