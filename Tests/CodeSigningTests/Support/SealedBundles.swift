import AppBundle
import Foundation
import Testing

@testable import CodeSigning

/// Bundles whose resources a program in another language seals, and how they are found to be.
struct SealedBundles: Sendable {
  /// A code object with the folder of its list, from the input's root.
  struct Bundle: Sendable {
    let folder: String
    let executable: String
    var code: [String: String] = [:]
    var isDeep = false

    var object: CodeObject {
      CodeObject(
        path: folder, kind: .app, folder: folder,
        executablePath: CodeObject.join(folder, executable))
    }
    var list: String { CodeObject.join(folder, "_CodeSignature/CodeResources") }
  }

  static let script = SigningSamples.package
    .appendingPathComponent("Tests/scripts/seal-resources.py").path

  let folder: AppFolder
  let bundles: [Bundle]
  /// The CDHashes that code has now, by path.
  var cdHashes: [String: [[UInt8]]] = [:]

  func run(_ arguments: [String]) throws {
    let done = try Tool.run(["python3", Self.script] + arguments)
    try #require(done.status == 0, "\(done.output)")
  }

  func seal() throws {
    for bundle in bundles {
      try run(
        ["seal", folder.at("app/\(bundle.folder)"), bundle.executable]
          + (bundle.isDeep ? ["--deep"] : [])
          + bundle.code.flatMap { ["--code", "\($0.key)=\($0.value)"] })
    }
  }

  /// The same in a folder of its own.
  func copied() throws -> SealedBundles {
    let other = try AppFolder()
    try FileManager.default.copyItem(atPath: folder.at("app"), toPath: other.at("app"))
    return SealedBundles(folder: other, bundles: bundles, cdHashes: cdHashes)
  }

  /// A problem as `kind path`.
  static func lines(_ seal: ResourceSeal) -> [String] {
    seal.problems.map { "\($0.kind.rawValue) \($0.path)" }
  }

  func seals(
    of path: String, workers: Int, limits: SigningLimits = .standard
  ) throws -> [ResourceSeal] {
    let hashes = cdHashes
    return try Application.open(path).resourceSeals(
      of: bundles.map(\.object), cdHashes: { hashes[$0] ?? [] }, limits: limits, workers: workers)
  }

  /// The seals of the folder, which archives and other counts of threads must give as well.
  func seals(alsoArchives: Bool = true) throws -> [ResourceSeal] {
    let seals = try self.seals(of: folder.at("app"), workers: 1)
    var others = [try self.seals(of: folder.at("app"), workers: 4)]
    if alsoArchives {
      let archives = ["one", "two"].map { folder.at("\($0).ipa") }
      try run(["pack", folder.at("app")] + archives)
      for archive in archives {
        for workers in [1, 4] { others.append(try self.seals(of: archive, workers: workers)) }
      }
    }
    for other in others {
      #expect(other.map(Self.lines) == seals.map(Self.lines))
      #expect(other.map(\.state) == seals.map(\.state))
      #expect(other.map(\.counts) == seals.map(\.counts))
      #expect(other.map(\.problems) == seals.map(\.problems))
    }
    return seals
  }

  /// What the reader in Python finds, by list.
  static func found(_ path: String) throws -> [String: [String]] {
    let reader = SigningSamples.package.appendingPathComponent("Tests/scripts/sealed-resources.py")
    let output = try #require(SigningSamples.python([reader.path, path]))
    let lists = try JSONDecoder().decode([String: [[String]]].self, from: output)
    return lists.mapValues { $0.map { $0.joined(separator: " ") }.sorted() }
  }
}

extension AppFolder {
  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: at(name))))
  }

  /// Flips a bit of a file's last byte.
  func flip(_ name: String) throws {
    let bytes = try bytes(name)
    try write(name, bytes.flippingBit(at: bytes.count - 1))
  }

  /// Adds a line to a file, with which a property list stays one.
  func append(_ name: String) throws { try write(name, bytes(name) + [0x0A]) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: at(name)) }

  func rename(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: at(name), toPath: at(other))
  }
}
