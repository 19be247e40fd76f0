internal import CLibCrypto
internal import PlistKit

/// What a code signature's signer says of the CodeDirectories, in Apple's two signed attributes.
///
/// The content that is signed is the first CodeDirectory alone; these bind the others to it. Sources:
/// `CMSEncoder.h` and `cms.cpp` of Apple's Security (`kCMSAttrAppleCodesigningHashAgility`, `…V2`).
public struct CodeDirectoryHashes: Sendable, Equatable {
  /// A hash with the algorithm that made it.
  public struct Hash: Sendable, Equatable {
    /// The algorithm's dotted number, such as `2.16.840.1.101.3.4.2.1` (SHA-256).
    public let algorithm: String
    /// The whole hash, not cut to 20 bytes.
    public let bytes: [UInt8]
  }

  /// Attribute 1.2.840.113635.100.9.1, a property list with `cdhashes`: the hash of each CodeDirectory, cut
  /// to 20 bytes, the first directory's first. Nil where it is missing or cannot be read.
  public let list: [[UInt8]]?
  /// Attribute 1.2.840.113635.100.9.2: a set of hashes. Empty where it is missing.
  public let set: [Hash]
  /// Why an attribute that is there cannot be read.
  public let problems: [String]

  /// Whether neither attribute is there: signers other than Apple's often leave them out.
  public var isEmpty: Bool { list == nil && set.isEmpty && problems.isEmpty }

  static let listAttribute = "1.2.840.113635.100.9.1"
  static let setAttribute = "1.2.840.113635.100.9.2"

  /// What does not fit the CodeDirectories of a signature, in words; empty where all does, or where no
  /// attribute is there.
  ///
  /// The directories are all of the signature, the first one first.
  /// - Throws: ``SigningError`` with code `crypto`.
  public func mismatches(
    with directories: [CodeDirectory]
  ) throws(SigningError) -> [String] {
    var found = problems
    var whole: [[UInt8]] = []
    for directory in directories {
      // The attributes hold whole hashes, also of what else is cut to 20 bytes.
      whole.append(try directory.hashAlgorithm.whole.hash(directory.bytes))
    }
    for (index, hash) in whole.enumerated() {
      let name = "the \(directories[index].hashAlgorithm.name) CodeDirectory"
      if let list, !list.contains(Array(hash.prefix(20))) {
        found.append("\(name) is not among the cdhashes that were signed")
      }
      guard let number = directories[index].hashAlgorithm.dottedNumber else { continue }
      let signed = set.filter { $0.algorithm == number }
      if !signed.isEmpty, !signed.contains(where: { $0.bytes == hash }) {
        found.append("\(name) is not the one whose hash was signed")
      }
    }
    if let list, list.count > whole.count {
      found.append("\(list.count) CodeDirectories were signed, \(whole.count) are there")
    }
    return found
  }

  /// Neither attribute.
  static let none = CodeDirectoryHashes(list: nil, set: [], problems: [])

  init(list: [[UInt8]]?, set: [Hash], problems: [String]) {
    self.list = list
    self.set = set
    self.problems = problems
  }

  /// Reads the values of the two attributes, as far as they are there: the octet strings of the first
  /// one's, the encoded sequences of the second one's.
  init(lists: [[UInt8]], sets: [[UInt8]], limits: SigningLimits) {
    var problems: [String] = []
    var list: [[UInt8]]?
    var set: [Hash] = []
    for value in lists {
      do throws(SigningError) {
        let plist = try PlistDictionary(parsing: value, of: "list of cdhashes", limits: limits)
        guard let values = plist["cdhashes"]?.array else {
          throw SigningError(.malformed, detail: "the list of cdhashes has no array of them")
        }
        list = (list ?? []) + values.compactMap(\.data)
      } catch {
        problems.append(error.detail)
      }
    }
    for value in sets {
      do throws(SigningError) {
        set.append(try Self.hash(in: value))
      } catch {
        problems.append("the set of CodeDirectory hashes cannot be read: \(error.detail)")
      }
    }
    self.init(list: list, set: set, problems: problems)
  }

  /// `SEQUENCE { OBJECT IDENTIFIER, OCTET STRING }`.
  private static func hash(in bytes: [UInt8]) throws(SigningError) -> Hash {
    let reader = DERReader(bytes: bytes)
    let sequence = try reader.element(at: 0, end: bytes.count)
    let parts = try reader.elements(in: sequence.content, limit: 2)
    guard sequence.isUniversal(V_ASN1_SEQUENCE), parts.count == 2,
      parts[0].isUniversal(V_ASN1_OBJECT), parts[1].isUniversal(V_ASN1_OCTET_STRING)
    else { throw SigningError(.malformed, detail: "no algorithm with its hash") }
    let encoded = Array(bytes[parts[0].start..<parts[0].content.upperBound])
    let number = encoded.withUnsafeBufferPointer { buffer -> String in
      var place = buffer.baseAddress
      guard let object = d2i_ASN1_OBJECT(nil, &place, buffer.count) else { return "" }
      defer { ASN1_OBJECT_free(object) }
      return LibCrypto.dotted(object)
    }
    return Hash(algorithm: number, bytes: Array(bytes[parts[1].content]))
  }
}

extension HashAlgorithm {
  /// The number that the signed set of hashes names it by: of SHA-256 for the whole hash only.
  fileprivate var dottedNumber: String? {
    switch self {
    case .sha1: "1.3.14.3.2.26"
    case .sha256: "2.16.840.1.101.3.4.2.1"
    case .sha256Truncated: nil
    case .sha384: "2.16.840.1.101.3.4.2.2"
    }
  }
}

extension PlistValue {
  /// The bytes of data, nil for another type.
  var data: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
}
