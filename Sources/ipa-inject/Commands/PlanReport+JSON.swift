internal import ATSMerge
internal import CodeSigning
internal import PlistKit

extension PlanReport {
  var json: JSONValue {
    [
      "schema": "ipa-inject/plan/1",
      "input": .string(loaded.path),
      "result": findings.hasFailed ? "fail" : "pass",
      "date": .optional(request.date.iso8601),
      "team": .optional(request.team),
      "app": [
        "path": .optional(loaded.bundlePath), "bundleIdentifier": .optional(bundleIdentifier),
        "platforms": .strings(plan.platforms.map(\.description)),
      ],
      "steps": .array(plan.steps.map(stepJSON)),
      "signature": signature.state == .none ? .null : signature.json,
      "profile": plan.main?.profile?.profile.json(at: request.date) ?? .null,
      "profiles": .array(plan.profiles.map(profileJSON)),
      "findings": findings.findingsJSON, "omitted": .integer(Int64(findings.omitted)),
      "checked": .strings(findings.checked), "disabled": .strings(findings.off),
    ]
  }

  var bundleIdentifier: String? { loaded.text("CFBundleIdentifier") }

  private func stepJSON(_ step: SigningPlan.Step) -> JSONValue {
    let xml = step.entitlements.flatMap { try? $0.xml() }
    return [
      "order": .integer(Int64(step.order)),
      "path": .string(step.object.path),
      "kind": .string(step.object.kind.rawValue),
      "bundleIdentifier": .optional(step.object.bundleIdentifier),
      "executable": .optional(step.object.executablePath),
      "identifierToUse": .string(step.identifierToUse),
      "entitlements": step.entitlements.map { JSONValue(.dictionary($0.values)) } ?? .null,
      "entitlementsXML": .optional(xml.map { String(decoding: $0, as: UTF8.self) }),
      "currentEntitlements": step.currentEntitlements.map { JSONValue(.dictionary($0.values)) }
        ?? .null,
      "profile": step.profile.map { planned in
        [
          "name": .optional(planned.profile.name), "uuid": .optional(planned.profile.uuid),
          "file": .string(planned.file), "given": .bool(planned.isGiven),
        ]
      } ?? .null,
      "profilePath": .optional(step.object.profilePath),
      "keepsSignature": .bool(step.keepsSignature),
      "reasons": .strings(step.reasons),
    ]
  }

  private func profileJSON(_ planned: PlannedProfile) -> JSONValue {
    guard case .object(let members) = planned.profile.json(at: request.date) else { return .null }
    return .object(
      [("file", .string(planned.file)), ("given", .bool(planned.isGiven))] + members)
  }
}
