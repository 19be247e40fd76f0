/// Checks a slice's signature but for the pages of code.
struct SliceCheck {
  let source: any ByteSource
  let infoPlist: [UInt8]?
  let codeResources: [UInt8]?
  let limits: SigningLimits

  func result(_ slice: MachOSlice) throws(SigningError) -> ExecutableSeal.Slice {
    let signature: CodeSignature?
    do throws(SigningError) {
      signature = try slice.codeSignature(of: source, limits: limits)
    } catch {
      switch error.code {
      case .unreadable, .io, .crypto: throw error
      default: break
      }
      return ExecutableSeal.Slice(
        slice: slice, signature: nil, error: error, directories: [],
        problems: ["the signature cannot be read: \(error.detail)"])
    }
    guard let signature, let place = slice.signature?.range else {
      return ExecutableSeal.Slice(
        slice: slice, signature: nil, error: nil, directories: [], problems: [])
    }
    let infoPlist =
      infoPlist != nil ? infoPlist : try slice.embeddedInfoPlist(of: source, limits: limits)
    let directories = try signature.codeDirectories.map { directory throws(SigningError) in
      ExecutableSeal.Directory(
        codeDirectory: directory, cdHash: try directory.cdHash(),
        slots: try slots(of: directory, signature, infoPlist: infoPlist),
        pages: ExecutableSeal.Pages(),
        problems: Self.problems(of: directory, in: slice, signatureAt: place.lowerBound))
    }
    return ExecutableSeal.Slice(
      slice: slice, signature: signature, error: nil, directories: directories,
      problems: Self.problems(of: signature, in: slice, at: place))
  }

  /// The special slots that have a meaning.
  private static let lastSlot = CodeSignatureSlot.libraryConstraint.rawValue

  private func slots(
    of directory: CodeDirectory, _ signature: CodeSignature, infoPlist: [UInt8]?
  ) throws(SigningError) -> [ExecutableSeal.Slot] {
    var found: [ExecutableSeal.Slot] = []
    for number in 1...Self.lastSlot {
      let slot = CodeSignatureSlot(rawValue: number)
      let sealed =
        switch slot {
        case .infoPlist: infoPlist
        case .resources: codeResources
        default: signature.blob(slot)?.sealedBytes
        }
      if let state = try Self.state(of: directory.specialHash(slot), directory, sealed) {
        found.append(ExecutableSeal.Slot(slot: slot, state: state))
      }
    }
    return found
  }

  private static func state(
    of hash: ArraySlice<UInt8>?, _ directory: CodeDirectory, _ sealed: [UInt8]?
  ) throws(SigningError) -> ExecutableSeal.SlotState? {
    let isSet = hash?.contains { $0 != 0 } ?? false
    guard let sealed else { return isSet ? .missingFile : nil }
    guard let hash else { return .absent }
    guard isSet else { return .zero }
    return try directory.hashAlgorithm.hash(sealed).elementsEqual(hash) ? .valid : .mismatch
  }

  private static func problems(
    of directory: CodeDirectory, in slice: MachOSlice, signatureAt start: UInt64
  ) -> [String] {
    var problems: [String] = []
    let limit = directory.codeLimit
    if limit > start {
      problems.append(
        "the code limit is byte \(limit), and the signature begins before, at byte \(start)")
    } else if limit < start {
      problems.append(
        "\(start - limit) bytes before the signature are not sealed: the code limit is byte \(limit), and the signature begins at byte \(start)"
      )
    }
    if directory.scatter == nil, directory.codeSlotCount > directory.pageCount {
      problems.append(
        "it has \(directory.codeSlotCount) code slots, and there are \(directory.pageCount) pages")
    }
    let unknown = (Int(lastSlot) + 1..<max(directory.specialSlotCount, Int(lastSlot)) + 1)
      .count { number in
        directory.specialHash(CodeSignatureSlot(rawValue: UInt32(number)))?
          .contains { $0 != 0 } ?? false
      }
    if unknown > 0 {
      problems.append("\(unknown) special slots beyond \(lastSlot) are set, whose use is not known")
    }
    return problems
  }

  private static func problems(
    of signature: CodeSignature, in slice: MachOSlice, at place: Range<UInt64>
  ) -> [String] {
    var problems: [String] = []
    if place.upperBound < slice.size {
      problems.append("\(slice.size - place.upperBound) bytes lie behind the signature")
    }
    if Set(signature.codeDirectories.map(\.identifier)).count > 1 {
      problems.append("the CodeDirectories name different identifiers")
    }
    if Set(signature.codeDirectories.map(\.teamIdentifier)).count > 1 {
      problems.append("the CodeDirectories name different teams")
    }
    return problems
  }
}
