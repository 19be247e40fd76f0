/// What a reader lets pass where the formats, Apple's reader and caution differ.
///
/// Each property is one point on which readers differ; true lets the thing pass. ``strict`` is what
/// PlistKit reads unless told otherwise, ``apple`` decides as Core Foundation's reader does wherever
/// that is safe. Documentation/plist-differences.md lists them all, with what Core Foundation does.
///
/// No choice touches the bytes: whatever passes, a document without a change serializes to what was
/// read, and an edit keeps what stands around it.
public struct ParseStrictness: Sendable, Equatable {
  // MARK: All formats

  /// A key twice in one dictionary: the last value counts in text, the first in a binary file, as
  /// Apple's readers have it.
  public var allowsDuplicateKeys = false
  /// Bytes after the end of an XML document or of a `.strings` file.
  public var allowsTrailingBytes = false
  /// Half of a surrogate pair, in UTF-16 of a binary file or as an escape of OpenStep text. It shows
  /// as U+FFFD.
  public var allowsUnpairedSurrogates = true

  // MARK: Binary

  /// Bytes between a binary file's offset table and its trailer.
  public var allowsBytesBeforeTrailer = false
  /// References that can number all objects, but not one more: one byte for 256 objects.
  public var allowsNarrowReferences = false
  /// A key that is a number, null or other leaf. Its pair stays in the file and is not shown, as no
  /// look-up by text finds it; a container is never a key.
  public var allowsNonStringKeys = false
  /// The null and set objects, which XML cannot hold.
  public var allowsNullsAndSets = true
  /// An integer of 16 bytes whose upper 8 are not zero. It is read as its lower 8.
  public var allowsWideIntegers = true
  /// Bytes of 0x80 and above in an ASCII string. They are read as Latin-1.
  public var allowsHighBytesInASCII = true
  /// A damaged file that starts with `bplist`, read as OpenStep text where it is such.
  public var readsDamagedBinaryAsText = false

  // MARK: XML

  /// Comments and processing instructions inside a string, key, number, date or data.
  public var allowsCommentsInText = true
  /// Two hyphens inside a comment.
  public var allowsHyphensInComments = true
  /// Control characters, and bytes that are no UTF-8, inside a comment.
  public var allowsAnyBytesInComments = false
  /// White space before the XML declaration.
  public var allowsSpaceBeforeDeclaration = true
  /// Before the first element: a declaration that is not the first or is malformed, and more than one
  /// document type. In it, and in processing instructions everywhere, grammar is not looked at.
  public var allowsLooseProlog = false
  /// Start tags that end at their first `>`, and in which all after the name is passed over, instead
  /// of well-formed attributes.
  public var allowsLooseTags = false
  /// Control characters, NUL, U+FFFE and U+FFFF in text.
  public var allowsControlCharacters = false
  /// References to control characters, NUL, U+FFFE and U+FFFF.
  public var allowsControlCharacterReferences = false
  /// Character references of more than 8 digits.
  public var allowsLongCharacterReferences = false
  /// `]]>` in text outside a CDATA section.
  public var allowsCDATAEndInText = false
  /// Dates with a field outside its range, such as February 30 or second 60, which roll over.
  public var allowsDatesOutOfRange = true
  /// UTF-32 with a byte-order mark, in XML and in OpenStep text.
  public var allowsUTF32 = true
  /// XML in UTF-16 or UTF-32 without a byte-order mark.
  public var allowsUnmarkedUTF16 = false
  /// A byte-order mark and a declaration that name different encodings. The mark counts.
  public var allowsContradictingEncoding = false

  // MARK: OpenStep

  /// A single word without quotes as the whole text: almost any text is one.
  public var allowsBareWord = false
  /// White space and comments alone, which make an empty dictionary.
  public var allowsBlankText = true
  /// A comment that the end of the text ends.
  public var allowsUnclosedComments = false

  /// What PlistKit reads unless told otherwise.
  public static let strict = ParseStrictness()

  /// What Core Foundation's reader takes, wherever that is safe.
  public static let apple: ParseStrictness = {
    var strictness = ParseStrictness()
    strictness.allowsDuplicateKeys = true
    strictness.allowsTrailingBytes = true
    strictness.allowsNonStringKeys = true
    strictness.readsDamagedBinaryAsText = true
    strictness.allowsCommentsInText = false
    strictness.allowsAnyBytesInComments = true
    strictness.allowsLooseProlog = true
    strictness.allowsLooseTags = true
    strictness.allowsControlCharacters = true
    strictness.allowsControlCharacterReferences = true
    strictness.allowsCDATAEndInText = true
    strictness.allowsContradictingEncoding = true
    strictness.allowsBareWord = true
    strictness.allowsUnclosedComments = true
    return strictness
  }()
}
