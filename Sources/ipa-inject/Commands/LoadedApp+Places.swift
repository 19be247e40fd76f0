internal import ATSMerge
internal import AppBundle
internal import PlistKit

extension LoadedApp {
  /// Bytes that the files are read again for, beside the main Info.plist.
  private static let placesBudget = 32 << 20

  /// The findings with the places at which they stand.
  ///
  /// Only the files in which something was found are looked at, each once; a finding in one that cannot
  /// be read, or that is no property list, stays without a place.
  func locating(_ findings: [Finding]) -> [Finding] {
    var located = findings
    var budget = Self.placesBudget
    var files: [String: [Int]] = [:]
    for (index, finding) in findings.enumerated() where finding.path != nil {
      if let file = finding.file { files[file, default: []].append(index) }
    }
    for (file, indices) in files.sorted(by: { $0.key < $1.key }) {
      guard let document = document(at: file, budget: &budget) else { continue }
      let places = document.places(of: indices.compactMap { findings[$0].path })
      for (index, place) in zip(indices, places) { located[index].place = place }
    }
    return located
  }

  private func document(at path: String, budget: inout Int) -> PlistDocument? {
    if path == application.infoPlistPath { return document }
    guard let bytes = try? application.contents(of: path, limit: budget) else { return nil }
    budget -= bytes.count
    return try? PlistDocument(parsing: bytes, limits: .infoPlist)
  }
}
