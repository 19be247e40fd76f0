import AppBundle
import CodeSigning
import Foundation
import Testing

/// A signed sample and what Python's reader says of it.
struct SealRow: CustomTestStringConvertible, Sendable {
  struct Reading: Decodable, Sendable {
    let infoPlist: Bool
    let resources: Bool
    let slices: [ReadExecutable.Slice]
  }

  let name: String
  let reading: Reading

  var testDescription: String { name }

  static let all: [SealRow] = {
    guard let folder = SigningSamples.folder,
      let data = try? Data(contentsOf: folder.appendingPathComponent("machos.json")),
      let table = try? JSONDecoder().decode([String: Reading].self, from: data)
    else { return [] }
    return table.sorted { $0.key < $1.key }.map { SealRow(name: $0.key, reading: $0.value) }
  }()
}

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct ExecutableSealTests {
  @Test func thereAreSamples() { #expect(SealRow.all.count >= 30) }

  @Test(arguments: SealRow.all) func sample(row: SealRow) throws {
    let sealed = try SigningSamples.sealed()
    for workers in [1, 3] {
      let seal = try ExecutableSeal(
        of: SigningSamples.macho(row.name),
        infoPlist: row.reading.infoPlist ? sealed.infoPlist : nil,
        codeResources: row.reading.resources ? sealed.codeResources : nil, workers: workers)
      let found = zip(seal.slices, row.reading.slices).map {
        ReadExecutable.Slice($0, platforms: $1.platforms)
      }
      #expect(found == row.reading.slices)
      #expect(seal.slices.allSatisfy { $0.problems.isEmpty && $0.error == nil })
      #expect(seal.slices.flatMap(\.directories).allSatisfy { $0.problems.isEmpty })
      #expect(seal.isSigned && seal.isIntact)
    }
  }

  @Test func unsigned() throws {
    let seal = try ExecutableSeal(of: SigningSamples.macho("fat"))
    #expect(!seal.isSigned && !seal.isIntact)
    #expect(seal.slices.count == 2)
  }

  /// A byte of each page, in every slice: that page alone is wrong, in every CodeDirectory.
  @Test(arguments: ["fat-3 sha1-sha256", "arm64 all-hashes", "arm64 scatter"])
  func pages(name: String) throws {
    let bytes = try SigningSamples.macho(name)
    for (number, slice) in try MachOFile(bytes).slices.enumerated() {
      let signature = try #require(slice.signature)
      let first = (slice.loadCommandEnd + 4095) / 4096
      for page in first..<Int((signature.range.lowerBound + 4095) / 4096) {
        let place =
          Int(slice.range.lowerBound) + min(page * 4096 + 17, Int(signature.range.lowerBound) - 1)
        let seal = try Self.seal(bytes.flippingBit(at: place))
        for (index, found) in seal.slices.enumerated() {
          #expect(found.isIntact == (index != number))
          for directory in found.directories {
            #expect(directory.pages.firstWrong == (index == number ? [page] : []))
          }
        }
      }
    }
  }

  /// A file of several parts that threads share.
  @Test func pagesOfALargeFile() throws {
    var bytes = try SigningSamples.macho("large all-hashes")
    let wrong = Array(stride(from: 2, to: 700, by: 53))
    for page in wrong { bytes[page * 4096] ^= 0x80 }
    for workers in [1, 2, 5] {
      let seal = try Self.seal(bytes, workers: workers)
      #expect(seal.slices[0].directories.count == 4)
      for directory in seal.slices[0].directories {
        #expect(directory.pages.wrongCount == wrong.count)
        #expect(directory.pages.firstWrong == Array(wrong.prefix(10)))
        #expect(directory.slots.allSatisfy { $0.state == .valid })
      }
    }
  }

  static func seal(_ bytes: [UInt8], workers: Int = 1) throws -> ExecutableSeal {
    let sealed = try SigningSamples.sealed()
    return try ExecutableSeal(
      of: bytes, infoPlist: sealed.infoPlist, codeResources: sealed.codeResources, workers: workers)
  }
}

/// Which special slot tells of a change.
struct SlotRow: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let slot: CodeSignatureSlot
  let state: ExecutableSeal.SlotState
  var infoPlist: @Sendable ([UInt8]) -> [UInt8]? = { $0 }
  var codeResources: @Sendable ([UInt8]) -> [UInt8]? = { $0 }
  var change: @Sendable ([UInt8], MachOSlice, CodeSignature) -> [UInt8] = { bytes, _, _ in bytes }

  /// A bit flipped in a blob's last byte.
  static func flipped(_ name: String, _ slot: CodeSignatureSlot) -> SlotRow {
    SlotRow(
      testDescription: name, slot: slot, state: .mismatch,
      change: { bytes, slice, signature in
        let start = Int(slice.signature?.range.lowerBound ?? 0)
        return bytes.flippingBit(at: start + (signature.blob(slot)?.range.upperBound ?? 1) - 1)
      })
  }

  /// The hash in a CodeDirectory filled with a byte.
  static func filled(
    _ name: String, _ slot: CodeSignatureSlot, _ byte: UInt8, _ state: ExecutableSeal.SlotState
  ) -> SlotRow {
    SlotRow(
      testDescription: name, slot: slot, state: state,
      change: { bytes, slice, signature in
        let directory = signature.codeDirectories[0]
        let size = directory.hashAlgorithm.length
        let start =
          Int(slice.signature?.range.lowerBound ?? 0)
          + (signature.blob(.codeDirectory)?.range.lowerBound ?? 0)
          + directory.hashOffset - Int(slot.rawValue) * size
        return bytes.setting([UInt8](repeating: byte, count: size), at: start)
      })
  }
}

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct ExecutableSlotTests {
  static let rows = [
    SlotRow(
      testDescription: "Info.plist edited", slot: .infoPlist, state: .mismatch,
      infoPlist: { $0 + [10] }),
    SlotRow(
      testDescription: "Info.plist gone", slot: .infoPlist, state: .missingFile,
      infoPlist: { _ in nil }),
    SlotRow(
      testDescription: "CodeResources edited", slot: .resources, state: .mismatch,
      codeResources: { $0 + [10] }),
    SlotRow(
      testDescription: "CodeResources gone", slot: .resources, state: .missingFile,
      codeResources: { _ in nil }),
    .flipped("requirements edited", .requirements),
    .flipped("entitlements edited", .entitlements),
    .flipped("DER entitlements edited", .derEntitlements),
    .filled("no hash of Info.plist", .infoPlist, 0, .zero),
    .filled("no hash of CodeResources", .resources, 0, .zero),
    .filled("no hash of the entitlements", .entitlements, 0, .zero),
    .filled("another hash of Info.plist", .infoPlist, 7, .mismatch),
    .filled("a hash of a blob that is not there", .application, 7, .missingFile),
    .filled("a hash of a disk image", .diskImage, 7, .missingFile),
  ]

  @Test(arguments: rows) func slot(row: SlotRow) throws {
    let bytes = try SigningSamples.macho("arm64 v20400")
    let slice = try MachOFile(bytes).slices[0]
    let signature = try #require(try slice.codeSignature(of: bytes))
    let sealed = try SigningSamples.sealed()
    let seal = try ExecutableSeal(
      of: row.change(bytes, slice, signature), infoPlist: row.infoPlist(sealed.infoPlist),
      codeResources: row.codeResources(sealed.codeResources))
    let directory = seal.slices[0].directories[0]
    #expect(directory.state(of: row.slot) == row.state)
    let others = directory.slots.filter { $0.slot != row.slot }
    #expect(others.count >= 4 && others.allSatisfy { $0.state == .valid })
    #expect(!seal.isIntact)
    #expect(directory.pages.wrongCount == 0)
  }

  /// Every byte of every sealed blob: the slot tells, in both CodeDirectories.
  @Test(arguments: [CodeSignatureSlot.requirements, .entitlements, .derEntitlements])
  func everyByteOfABlob(slot: CodeSignatureSlot) throws {
    let bytes = try SigningSamples.macho("armv7 sha1-sha256")
    let slice = try MachOFile(bytes).slices[0]
    let signature = try #require(try slice.codeSignature(of: bytes))
    let range = try #require(signature.blob(slot)?.range)
    let start = Int(try #require(slice.signature?.range.lowerBound))
    // The length, when changed, is no longer a signature's.
    for place in range where !(4..<8).contains(place - range.lowerBound) {
      let seal = try ExecutableSealTests.seal(bytes.flippingBit(at: start + place))
      let states = seal.slices[0].directories.map { $0.state(of: slot) }
      #expect(states == [.mismatch, .mismatch], "byte \(place - range.lowerBound)")
    }
  }

  /// A bit anywhere in the headers and in the signature: found, refused, or in the CodeDirectory or the CMS,
  /// which the CMS seals.
  @Test(arguments: ["arm64 v20600", "arm64 scatter", "fat sha1-sha256"])
  func anyBit(name: String) throws {
    let bytes = try SigningSamples.macho(name)
    let slices = try MachOFile(bytes).slices
    let slice = try #require(slices.first)
    let start = Int(slice.range.lowerBound)
    let signature = try #require(slice.signature?.range)
    let sealed = try SigningSamples.sealed()
    let places =
      Array(start..<start + slice.loadCommandEnd)
      + Array(start + Int(signature.lowerBound)..<start + Int(signature.upperBound))
    for place in places {
      var changed = bytes
      changed[place] ^= 1 << UInt8(place % 8)
      let seal = try? ExecutableSeal(
        of: changed, infoPlist: sealed.infoPlist, codeResources: sealed.codeResources)
      let isInSignature = place - start >= Int(signature.lowerBound)
      #expect(isInSignature || seal?.isIntact != true, "byte \(place)")
    }
  }

  @Test func fewerSlotsThanThereIsToSeal() throws {
    let bytes = try SigningSamples.macho("dylib alone")
    let sealed = try SigningSamples.sealed()
    let seal = try ExecutableSeal(
      of: bytes, infoPlist: sealed.infoPlist, codeResources: sealed.codeResources)
    let directory = seal.slices[0].directories[0]
    #expect(directory.state(of: .infoPlist) == .zero)
    #expect(directory.state(of: .requirements) == .valid)
    #expect(directory.state(of: .resources) == .absent)
    #expect(directory.state(of: .entitlements) == nil)
  }

  @Test func theSectionStandsForInfoPlist() throws {
    let bytes = try SigningSamples.macho("tool section")
    let text = try MachOFile(bytes).slices[0].segment("__TEXT")
    let section = try #require(text?.sections.first { $0.name == "__info_plist" })
    let changed = bytes.flippingBit(at: Int(section.fileOffset))
    let seal = try ExecutableSeal(of: changed)
    #expect(seal.slices[0].directories[0].state(of: .infoPlist) == .mismatch)
    #expect(seal.slices[0].directories[0].pages.wrongCount == 1)
    #expect(try ExecutableSeal(of: bytes).isIntact)
  }

  @Test func oneStaleDirectoryOfTwo() throws {
    let bytes = try SigningSamples.macho("arm64 sha1-sha256")
    let row = SlotRow.filled("", .infoPlist, 7, .mismatch)
    let slice = try MachOFile(bytes).slices[0]
    let signature = try #require(try slice.codeSignature(of: bytes))
    let seal = try ExecutableSealTests.seal(row.change(bytes, slice, signature))
    #expect(seal.slices[0].directories.map(\.isIntact) == [false, true])
    #expect(!seal.isIntact)
  }
}
