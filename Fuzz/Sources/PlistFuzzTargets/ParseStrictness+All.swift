import PlistKit

extension ParseStrictness {
  /// All that is off in the strict form and changes nothing of what the strict form reads. Where a
  /// tag or a document type ends is another place in the loose forms.
  static let lenient: ParseStrictness = {
    var strictness = ParseStrictness.strict
    strictness.allowsDuplicateKeys = true
    strictness.allowsTrailingBytes = true
    strictness.allowsUnpairedSurrogates = true
    strictness.allowsBytesBeforeTrailer = true
    strictness.allowsNarrowReferences = true
    strictness.allowsNonStringKeys = true
    strictness.allowsNullsAndSets = true
    strictness.allowsWideIntegers = true
    strictness.allowsHighBytesInASCII = true
    strictness.readsDamagedBinaryAsText = true
    strictness.allowsCommentsInText = true
    strictness.allowsHyphensInComments = true
    strictness.allowsAnyBytesInComments = true
    strictness.allowsSpaceBeforeDeclaration = true
    strictness.allowsControlCharacters = true
    strictness.allowsControlCharacterReferences = true
    strictness.allowsLongCharacterReferences = true
    strictness.allowsCDATAEndInText = true
    strictness.allowsDatesOutOfRange = true
    strictness.allowsUTF32 = true
    strictness.allowsUnmarkedUTF16 = true
    strictness.allowsContradictingEncoding = true
    strictness.allowsBareWord = true
    strictness.allowsBlankText = true
    strictness.allowsUnclosedComments = true
    return strictness
  }()

  /// All there is.
  static let loosest: ParseStrictness = {
    var strictness = ParseStrictness.lenient
    strictness.allowsLooseTags = true
    strictness.allowsLooseProlog = true
    return strictness
  }()

  static let all: [ParseStrictness] = [.strict, .lenient, .apple, .loosest]
}
