internal import CLibXML2

/// One owner of a libxml2 parser context, which reads a document and tells an ``XMLTreeBuilder`` of
/// its elements.
///
/// The parser decides what is well-formed. It loads nothing, substitutes no entity, and builds no
/// tree; text is read from the source by the builder. `XML_PARSE_HUGE` lifts libxml2's own limit of
/// 256 levels, which is below Apple's 512; the builder counts instead.
struct SAXParser: ~Copyable {
  private let context: xmlParserCtxtPtr
  /// What libxml2 calls back: it outlives the context.
  private let receiver: SAXReceiver

  /// A parser of bytes, which must stay where they are while it lives; nil if there are more than
  /// libxml2 can count. The offset is where in the builder's source they start.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int, builder: consuming XMLTreeBuilder) {
    LibXML.initialize()
    guard Int32(exactly: bytes.count) != nil else { return nil }
    let receiver = SAXReceiver(builder, bytes: bytes, offset: offset)
    let data = Unmanaged.passUnretained(receiver).toOpaque()
    let context = xmlCreateIOParserCtxt(
      nil, nil,
      { data, buffer, length in SAXReceiver.of(data)?.read(into: buffer, length) ?? -1 },
      { _ in 0 }, data, XML_CHAR_ENCODING_NONE)
    guard let context else { return nil }
    context.pointee.sax.pointee = SAXReceiver.handler
    context.pointee.userData = data
    receiver.context = context
    self.context = context
    self.receiver = receiver
  }

  deinit {
    // After an error in a document type, libxml2 leaves the document that it made for its entities.
    xmlFreeDoc(context.pointee.myDoc)
    xmlFreeParserCtxt(context)
    withExtendedLifetime(receiver) {}
  }

  /// Reads to the end of the root element.
  consuming func parse() throws(PlistError) -> XMLTree {
    // The source is UTF-8 whatever its declaration says.
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
      | XML_PARSE_HUGE.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    xmlCtxtUseOptions(context, Int32(bitPattern: UInt32(options)))
    _ = xmlParseDocument(context)
    if let failure = receiver.failure { throw failure }
    guard let tree = receiver.builder.finish() else {
      let end = receiver.builder.source.count
      throw receiver.builder.error(.truncated, at: end, "there is no element")
    }
    return tree
  }
}

/// What libxml2's callbacks lead to.
final class SAXReceiver {
  // libxml2 calls back one call at a time; checking that for each tag costs a tenth of the time.
  @exclusivity(unchecked) var builder: XMLTreeBuilder
  fileprivate var context: xmlParserCtxtPtr?
  /// The end of the last tag.
  @exclusivity(unchecked) var tagEnd = 0
  /// An open element that holds no others.
  @exclusivity(unchecked) var leaf: Leaf?
  private let bytes: UnsafeBufferPointer<UInt8>
  private let offset: Int
  private var bytesRead = 0
  /// The first error, the builder's or the parser's.
  @exclusivity(unchecked) private(set) var failure: PlistError?

  init(_ builder: consuming XMLTreeBuilder, bytes: UnsafeBufferPointer<UInt8>, offset: Int) {
    self.builder = builder
    self.bytes = bytes
    self.offset = offset
  }

  fileprivate static var handler: xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = XML_SAX2_MAGIC
    handler.startElementNs = { data, _, _, _, namespaces, _, attributes, _, _ in
      SAXReceiver.of(data)?.start(attributes: Int(namespaces) + Int(attributes))
    }
    handler.endElementNs = { data, _, _, _ in SAXReceiver.of(data)?.end() }
    handler.comment = { data, _ in SAXReceiver.of(data)?.comment() }
    handler.internalSubset = { data, _, _, _ in SAXReceiver.of(data)?.documentType() }
    handler.getEntity = { data, name in
      SAXReceiver.of(data)?.entity(name)
      return nil
    }
    handler.serror = { data, error in
      guard let error else { return }
      SAXReceiver.of(data)?.report(
        code: error.pointee.code, isFatal: error.pointee.level == XML_ERR_FATAL,
        message: error.pointee.message.map { String(cString: $0) } ?? "")
    }
    return handler
  }

  /// Gives libxml2 the next bytes, and none after an error: it would go on without callbacks, and
  /// take hours for elements that nest without end.
  func read(into buffer: UnsafeMutablePointer<CChar>?, _ length: Int32) -> Int32 {
    guard failure == nil, let buffer, length > 0 else { return 0 }
    let count = min(Int(length), bytes.count - bytesRead)
    UnsafeMutableRawBufferPointer(start: buffer, count: count)
      .copyBytes(from: bytes[bytesRead..<bytesRead + count])
    bytesRead += count
    return Int32(truncatingIfNeeded: count)
  }

  static func of(_ data: UnsafeMutableRawPointer?) -> SAXReceiver? {
    data.map { Unmanaged<SAXReceiver>.fromOpaque($0).takeUnretainedValue() }
  }

  /// How far the parser has read, as an offset in the builder's source.
  private var position: Int {
    guard let input = context?.pointee.input, let base = input.pointee.base,
      let current = input.pointee.cur
    else { return offset }
    return offset &+ Int(bitPattern: input.pointee.consumed) &+ (current - base)
  }

  private func start(attributes: Int) {
    stopOnError { (receiver) throws(PlistError) in
      try receiver.takeStart(at: receiver.position, attributes: attributes)
    }
  }

  private func end() {
    stopOnError { (receiver) throws(PlistError) in
      try receiver.takeEnd(at: receiver.position)
    }
    if builder.isComplete { xmlStopParser(context) }
  }

  private func comment() { builder.comment(before: position) }

  /// A `[` after what was read of the document type starts an internal subset.
  private func documentType() {
    stopOnError { (receiver) throws(PlistError) in
      let place = receiver.position
      guard receiver.builder.source[place] == UInt8(ascii: "[") else { return }
      throw receiver.builder.error(.entity, at: place, "the document type has an internal subset")
    }
  }

  /// libxml2 asks only for entities that are not predefined.
  private func entity(_ name: UnsafePointer<xmlChar>?) {
    stopOnError { (receiver) throws(PlistError) in
      let name = name.map { String(cString: $0) } ?? ""
      throw receiver.builder.error(
        .entity, at: receiver.position, "the entity &\(name.prefix(40)); is not predefined")
    }
  }

  private func stopOnError(_ body: (SAXReceiver) throws(PlistError) -> Void) {
    guard failure == nil else { return }
    do { try body(self) } catch {
      failure = error
      xmlStopParser(context)
    }
  }

  private func report(code: Int32, isFatal: Bool, message: @autoclosure () -> String) {
    guard isFatal, failure == nil, !builder.isComplete else { return }
    let place = position
    if !builder.source.holdsCharacter(at: place) {
      failure = builder.error(.encoding, at: place, "the bytes are no text in UTF-8")
      return
    }
    let error = xmlParserErrors(UInt32(bitPattern: code))
    // Every document ends in a '>'.
    if builder.source.endsTooEarly(after: place), error != XML_ERR_TAG_NAME_MISMATCH {
      failure = builder.error(.truncated, at: place, "the document ends too early")
      return
    }
    let (plistCode, detail) = Self.sentence(for: error, message: message())
    failure = builder.error(plistCode, at: place, detail)
  }

  /// libxml2's error in our words, where they are plainer than its own.
  private static func sentence(
    for error: xmlParserErrors, message: String
  ) -> (PlistError.Code, String) {
    switch error {
    case XML_ERR_TAG_NAME_MISMATCH: (.malformed, "the end tag does not match the open element")
    case XML_ERR_INVALID_CHAR: (.malformed, "a character that XML does not allow")
    case XML_ERR_INVALID_CHARREF, XML_ERR_INVALID_HEX_CHARREF, XML_ERR_INVALID_DEC_CHARREF:
      (.malformed, "a character reference to no character that XML allows")
    case XML_ERR_UNDECLARED_ENTITY: (.entity, "an entity that is not predefined")
    case XML_ERR_ENTITYREF_SEMICOL_MISSING, XML_ERR_ENTITYREF_NO_NAME, XML_ERR_NAME_REQUIRED:
      (
        .malformed,
        "'&' or '<' that starts no reference or tag (as text they are '&amp;' and '&lt;')"
      )
    case XML_ERR_PI_NOT_FINISHED: (.malformed, "a processing instruction that never ends")
    case XML_ERR_RESERVED_XML_NAME: (.malformed, "an XML declaration that is not at the start")
    case XML_ERR_NO_MEMORY: (.limit, "there is not enough memory")
    default: (.malformed, plain(message))
    }
  }

  /// The first line of a message, without capital and full stop. It may quote the document.
  private static func plain(_ message: String) -> String {
    let line = message.split(whereSeparator: \.isNewline).first ?? "the document is not well-formed"
    let text = line.prefix(1).lowercased() + line.dropFirst().prefix(119)
    return String(text.reversed().drop { $0 == "." || $0 == " " }.reversed())
  }
}
