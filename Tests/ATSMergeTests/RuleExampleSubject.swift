import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

extension RuleExample {
  /// What the example shows, as the rules look at it: property lists read by PlistKit, bundles told from
  /// their paths, executables from the list of files.
  func subject() throws -> VerificationSubject {
    var subject = VerificationSubject(infoPlist: [:], infoPlistPath: "Info.plist")
    var files: [String: Substring]?
    var nested: [(path: String, root: PlistValue?)] = []
    for part in parts {
      switch part {
      case .infoPlist(let xml): subject.infoPlist = try Self.dictionary(xml)
      case .nested(let xml, let path):
        #expect(path.hasSuffix("/Info.plist"))
        nested.append((String(path.dropLast("/Info.plist".count)), try Self.dictionary(xml)))
      case .original(let xml): subject.compare(try Self.dictionary(xml))
      case .strings(let text, let language):
        let root = try PlistDocument(parsing: Array(text.utf8)).root
        let value = try #require(root[LocalNetworkText.key])
        subject.localizedTexts.append(
          .init(language: language, path: "\(language).lproj/InfoPlist.strings", value: value))
      case .files(let lines):
        for line in lines.split(separator: "\n") {
          let path = String(line.dropFirst(11))
          if line.hasPrefix("d") { nested.append((path, nil)) }
          files = (files ?? [:]).merging([path: line.prefix(10)]) { $1 }
        }
      case .options(let options): try apply(options, to: &subject)
      case .propertyList, .commands: Issue.record("the example is a run of the program")
      }
    }
    subject.mainBundle = Self.bundle("", subject.infoPlist, files)
    subject.bundles = nested.map { Self.bundle($0.path, $0.root, files) }
    return subject
  }

  private static func dictionary(_ xml: String) throws -> PlistValue {
    let text = "<plist version=\"1.0\"><dict>\n\(xml)\n</dict></plist>"
    return try PlistDocument(parsing: Array(text.utf8)).root
  }

  private func apply(_ options: [String], to subject: inout VerificationSubject) throws {
    for (name, value) in zip(options, options.dropFirst()) where name.hasPrefix("--") {
      switch name {
      case "--destination":
        subject.destinations.append(try Destination(parsing: value, defaultPort: 19464))
      case "--os": subject.os = try #require(ATSGeneration(parsing: value))
      case "--before": #expect(subject.comparison != nil)
      default: Issue.record("an example has the option \(name)")
      }
    }
  }

  private static func bundle(
    _ path: String, _ root: PlistValue?, _ files: [String: Substring]?
  ) -> VerificationSubject.Bundle {
    let prefix = path.isEmpty ? "" : path + "/"
    var executable = VerificationSubject.Bundle.Executable.present
    if let files, let name = root?["CFBundleExecutable"]?.string {
      executable =
        switch files[prefix + name] {
        case nil: .missing
        case let mode?: mode.contains("x") ? .present : .notExecutable
        }
    }
    return .init(
      path: path, kind: kind(of: path), infoPlistPath: prefix + "Info.plist",
      infoPlist: root.map { .read($0) } ?? .missing, executable: executable)
  }

  private static func kind(of path: String) -> VerificationSubject.Bundle.Kind {
    switch path {
    case _ where path.hasSuffix(".appex"): .appExtension
    case _ where path.hasSuffix(".framework"): .framework
    case _ where path.hasPrefix("Watch/"): .watchApp
    default: .app
    }
  }
}
