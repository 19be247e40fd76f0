import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

let id = "0123456789abcdef0123456789abcdef0123456789abcdef"
let otherID = "fedcba9876543210fedcba9876543210fedcba9876543210"

/// The text of an update URL at a host.
func urlText(_ host: String, scheme: String = "http", id: String = id, query: String = "") -> String
{
  "\(scheme)://\(host):19464/api/app/\(id)/update\(query)"
}

func url(_ host: String, scheme: String = "http") throws -> UpdateURL {
  try UpdateURL(parsing: urlText(host, scheme: scheme))
}

func document(_ root: PlistValue) -> PlistDocument { PlistDocument(root: root, format: .xml) }

func injection(_ hosts: String..., scheme: String = "http") throws -> Injection {
  Injection(
    urls: try hosts.map { try url($0, scheme: scheme) },
    source: try UpdateSource(parsing: "gh:example/demo"),
    release: .latest)
}

/// A dictionary of one key.
func dictionary(_ key: String, _ value: PlistValue) -> PlistValue {
  .dictionary(PlistDictionary([(key, value)]))
}

/// An Info.plist with these settings under NSAppTransportSecurity.
func infoPlist(ats: PlistValue) -> PlistValue { dictionary("NSAppTransportSecurity", ats) }

/// An Info.plist with these exception domains.
func infoPlist(domains: PlistValue) -> PlistValue {
  infoPlist(ats: dictionary("NSExceptionDomains", domains))
}

let allowed: PlistValue = ["NSExceptionAllowsInsecureHTTPLoads": true]

/// A row of a table, shown by its name.
struct Row<Input: Sendable, Output: Sendable>: Sendable, CustomTestStringConvertible {
  let name: String
  let input: Input
  let expected: Output

  init(_ name: String, _ input: Input, _ expected: Output) {
    self.name = name
    self.input = input
    self.expected = expected
  }

  var testDescription: String { name }
}
