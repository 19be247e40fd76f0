internal import ATSMerge
internal import PlistKit

extension VerifyReport {
  /// The document of `--json`.
  var json: JSONValue {
    [
      "schema": "ipa-inject/verify/1",
      "result": hasFailed ? "fail" : "pass",
      "input": .string(input),
      "config": .optional(settings.config),
      "findings": findingsJSON,
      "omitted": .integer(Int64(omitted)),
      "checked": .strings(checked), "disabled": .strings(off),
      "notRun": .strings(notRun(.noOriginal, .noApp, .leftAlone, .notAsked)),
    ]
  }

  /// What was found, for programs.
  var findingsJSON: JSONValue { .array(findings.map(\.json)) }
}

extension Finding {
  /// Line and column for text, object and offset for a binary property list, null for the others.
  fileprivate var json: JSONValue {
    var (line, column, offset) = (JSONValue.null, JSONValue.null, JSONValue.null)
    switch place?.location {
    case .line(let number, let start)?:
      (line, column) = (.integer(Int64(number)), .integer(Int64(start)))
    case .offset(let bytes)?: offset = .integer(Int64(bytes))
    case nil: break
    }
    return [
      "rule": .string(rule), "level": .string(level.rawValue), "message": .string(shownMessage),
      "file": .optional(file), "path": .optional(pathText), "line": line, "column": column,
      "object": place?.object.map { .integer(Int64($0)) } ?? .null, "offset": offset,
    ]
  }
}
