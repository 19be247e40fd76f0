import PlistKit
import Testing

@testable import ATSMerge

/// Every single change of a prepared Info.plist is told.
@Suite struct ChangeMutationTests {
  /// An app before it was prepared.
  struct Original: Sendable, CustomTestStringConvertible {
    let name: String
    let root: PlistValue

    var testDescription: String { name }
  }

  private static let plain: PlistValue = [
    "CFBundleIdentifier": "com.example.demo", "CFBundleName": "Demo", "UIDeviceFamily": [1, 2],
    "UIRequiresFullScreen": false, "Ratio": .real(PlistReal(0.5)), "Key": .data([1, 2, 3]),
    "When": .date(PlistDate(secondsSince2001: 86_400)), "Nothing": [:], "None": [],
  ]

  static let originals: [Original] = [
    Original(name: "nothing to merge with", root: plain),
    Original(
      name: "settings of its own",
      root: plain.with(
        "NSAppTransportSecurity",
        [
          "NSAllowsLocalNetworking": true,
          "NSExceptionDomains": [
            "api.example.com": ["NSExceptionMinimumTLSVersion": "TLSv1.0"],
            "my-mac.local": ["NSIncludesSubdomains": true],
          ],
        ]
      ).with("NSLocalNetworkUsageDescription", "Finds speakers")),
    Original(
      name: "a blank text and a flag that says no",
      root: plain.with("NSLocalNetworkUsageDescription", " ").with(
        "NSAppTransportSecurity",
        [
          "NSExceptionDomains": ["192.168.1.10": ["NSExceptionAllowsInsecureHTTPLoads": "YES"]]
        ])),
    Original(
      name: "an earlier injection",
      root: plain.with(
        "IPAHub",
        [
          "updateURL": [.string(urlText("old.local")), .string(urlText("my-mac.local"))],
          "source": "gh:example/old", "filter": "tv", "Mine": 1,
        ]
      ).with(
        "NSAppTransportSecurity",
        ["NSExceptionDomains": ["old.local": allowed, "my-mac.local": allowed]])),
    Original(
      name: "one string of an older installation",
      root: plain.with(
        "IPAHub",
        ["updateURL": .string("http://old.local/update/\(id)"), "source": "gh:example/old"]
      ).with("NSAppTransportSecurity", ["NSExceptionDomains": ["old.local": allowed]])),
  ]

  private static func errors(_ root: PlistValue, before original: PlistValue) -> [Finding] {
    var subject = VerificationSubject(infoPlist: root, infoPlistPath: "Info.plist")
    subject.compare(original)
    return RuleTable.findings(in: subject).filter { $0.level == .error }
  }

  private static func unexpected(_ root: PlistValue, before original: PlistValue) -> [String] {
    errors(root, before: original).filter { $0.rule == "change.unexpected" }.map(\.message)
  }

  private static func prepared(_ root: PlistValue, prunes: Bool = false) throws -> PlistValue {
    var injection = try injection("my-mac.local", "192.168.1.10", "[fd00::10]")
    injection.filter = "phone"
    injection.prunes = prunes
    return try document(root).preparing(injection).document.root
  }

  @Test(arguments: originals) func whatAnInjectionDoesPasses(_ original: Original) throws {
    let once = try Self.prepared(original.root)
    #expect(Self.errors(once, before: original.root).map(\.message) == [])
    let pruned = try Self.prepared(original.root, prunes: true)
    #expect(Self.errors(pruned, before: original.root).map(\.message) == [])
    let again = try Self.prepared(once)
    #expect(Self.errors(again, before: original.root).map(\.message) == [])
    let secure = try document(original.root).preparing(
      injection("updates.example.com", scheme: "https"))
    #expect(Self.unexpected(secure.document.root, before: original.root) == [])
  }

  @Test(arguments: originals) func undoneAndDoneAgainPasses(_ original: Original) throws {
    let once = try Self.prepared(original.root)
    let again = try Self.prepared(document(once).stripping().document.root)
    // Undoing takes out all of IPAHub, also a field of the app's own.
    let lost = original.root["IPAHub"]?["Mine"] == nil ? [] : ["/IPAHub/Mine"]
    let found = Self.unexpected(again, before: original.root)
    #expect(found.count == lost.count && zip(found, lost).allSatisfy { $0.hasPrefix($1) })
  }

  @Test(arguments: originals) func anotherFormatPasses(_ original: Original) throws {
    let prepared = try Self.prepared(original.root)
    for format in [PlistFormat.xml, .binary] {
      let bytes = try PlistDocument(root: prepared, format: format).serialized()
      let read = try PlistDocument(parsing: bytes).root
      #expect(Self.errors(read, before: original.root).map(\.message) == [])
    }
  }

  /// Each value of the prepared app is removed, made another one, of another type; each container gets
  /// one more.
  @Test(arguments: originals) func everyOtherChangeIsTold(_ original: Original) throws {
    let prepared = try Self.prepared(original.root)
    // What a later injection may write in another way.
    let free: Set = ["/IPAHub/source", "/IPAHub/filter", "/IPAHub/release"]
    var count = 0
    for (name, path, root) in try Self.mutations(of: prepared) where root != prepared {
      count += 1
      let findings = Self.errors(root, before: original.root)
      let isFree =
        free.contains(path.description)
        && (root[path]?.string != nil
          || (root[path] == nil && path.description != "/IPAHub/source"))
      let isOwnText =
        path.description == "/NSLocalNetworkUsageDescription"
        && original.root["NSLocalNetworkUsageDescription"] != "Finds speakers"
        && root[path]?.string.map { !LocalNetworkText.isBlank($0) } == true
      // An earlier injection's exceptions may go, and stay where their host has no URL any more.
      let isPruned =
        name == "remove" && original.root["IPAHub"] != nil
        && (path == ATSKey.path(domain: "old.local")
          || path.description.hasPrefix("/IPAHub/updateURL/"))
      if isFree || isOwnText || isPruned { continue }
      let isNamed = findings.contains { finding in
        let found = finding.path?.description ?? ""
        return found.hasPrefix(path.description) || path.description.hasPrefix(found)
          || path.description.hasPrefix("/IPAHub/updateURL")
      }
      #expect(isNamed, "\(name) \(path): \(findings.map(\.message))")
    }
    #expect(count > 60)
  }

  /// Fields of the metadata that are of the right type and that no injection writes all the same.
  static let refusedFields: [Row<(String, PlistValue), String>] = [
    Row("no source", ("source", ""), "/IPAHub/source"),
    Row("half a repository", ("source", "gh:example"), "/IPAHub/source"),
    Row("a source of another scheme", ("source", "ftp://example.com/x.ipa"), "/IPAHub/source"),
    Row("a line end in the source", ("source", "gh:example/demo\n"), "/IPAHub/source"),
    Row("a tag for a channel", ("release", "v1.0"), "/IPAHub/release"),
    Row("a channel in capitals", ("release", "Latest"), "/IPAHub/release"),
  ]

  @Test(arguments: refusedFields)
  func aFieldThatNoInjectionWritesIsTold(_ row: Row<(String, PlistValue), String>) throws {
    let path = UpdateMetadata.path.appending(key: row.input.0)
    let root = try Self.prepared(Self.plain).setting(row.input.1, at: path)
    let found = Self.unexpected(root, before: Self.plain)
    #expect(found.count == 1 && found[0].hasPrefix("\(row.expected) was"), "\(found)")
  }

  private static func mutations(
    of root: PlistValue
  ) throws -> [(name: String, path: PlistKeyPath, root: PlistValue)] {
    var found: [(name: String, path: PlistKeyPath, root: PlistValue)] = []
    for (path, value) in all(root, at: .root) {
      if !path.components.isEmpty {
        found.append(("remove", path, try root.removing(path)))
        for (kind, other) in WrongTypeTests.values where kind != "null" && kind != "set" {
          found.append((kind, path, try root.setting(other, at: path)))
        }
        if let text = value.string {
          found.append(("a letter more", path, try root.setting(.string(text + "x"), at: path)))
        }
      }
      switch value {
      case .dictionary:
        let more = path.appending(key: "Another")
        found.append(("a key more", more, try root.setting("x", at: more)))
        let exception = path.appending(key: "evil.example")
        found.append(("an exception more", exception, try root.setting(allowed, at: exception)))
      case .array(let items):
        let more = path.appending(index: items.count)
        found.append(("an item more", more, try root.setting("x", at: more)))
      default: break
      }
    }
    return found
  }

  private static func all(
    _ value: PlistValue, at path: PlistKeyPath
  ) -> [(path: PlistKeyPath, value: PlistValue)] {
    switch value {
    case .dictionary(let dictionary):
      [(path, value)]
        + dictionary.entries.flatMap { all($0.value, at: path.appending(key: $0.key)) }
    case .array(let items):
      [(path, value)]
        + items.enumerated().flatMap { all($1, at: path.appending(index: $0)) }
    default: [(path, value)]
    }
  }
}
