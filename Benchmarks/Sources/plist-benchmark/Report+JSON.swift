internal import Foundation

// The report for programs; Benchmarks/README.md says what its keys mean.
extension Report {
  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(document) + Data("\n".utf8)
    }
  }

  private var document: Document {
    Document(
      date: date.formatted(.iso8601), clock: options.clock.rawValue, seconds: options.seconds,
      machine: .init(
        system: machine.system, processor: machine.processor, cores: machine.cores,
        loadBefore: loadBefore, loadAfter: Machine.load),
      versions: Dictionary(versions.map { ($0.name, $0.version) }, uniquingKeysWith: { a, _ in a }),
      inputs: inputs.map { input in
        .init(
          size: input.size.rawValue, xmlBytes: input.xml.bytes.count,
          binaryBytes: input.binary.bytes.count, binaryWriter: input.binaryWriter,
          values: input.values, elements: input.elements)
      }, tables: tables.all.map(table),
      bars: bars.map { bar, figure in
        .init(
          operation: bar.cell.operation.rawValue, format: bar.cell.format.rawValue,
          size: bar.cell.size.rawValue, measure: bar.measure,
          against: figure?.against ?? bar.peer, bound: bar.bound.rawValue, limit: bar.limit,
          measured: figure?.value, isMet: figure.map { bar.isMet(by: $0.value) })
      })
  }

  private func table(_ table: Table) -> Document.Table {
    .init(
      operation: table.cell.operation.rawValue, format: table.cell.format.rawValue,
      size: table.cell.size.rawValue, bytes: table.bytes,
      rows: table.rows.map { row in
        var result = Document.Row(contestant: row.contestant)
        switch row.outcome {
        case .skipped(let reason): result.skipped = reason
        case .measured(let samples):
          result.runs = samples.count
          result.wallMilliseconds = row.median(.wall).map { $0 / 1e6 }
          result.cpuMilliseconds = row.median(.cpu).map { $0 / 1e6 }
          result.megabytesPerSecond = row.median(options.clock).map {
            Double(table.bytes) / $0 * 1e3
          }
          result.ratio = table.ratio(to: row.contestant, options.clock)
        }
        return result
      })
  }
}

private struct Document: Encodable {
  var schema = "ipa-inject/bench-plist/1"
  let date: String
  let clock: String
  let seconds: Double
  let machine: Machine
  let versions: [String: String]
  let inputs: [Input]
  let tables: [Table]
  let bars: [Bar]

  struct Machine: Encodable {
    let system: String
    let processor: String
    let cores: Int
    let loadBefore: Double
    let loadAfter: Double
  }

  struct Input: Encodable {
    let size: String
    let xmlBytes: Int
    let binaryBytes: Int
    let binaryWriter: String
    let values: Int
    let elements: Int
  }

  struct Table: Encodable {
    let operation: String
    let format: String
    let size: String
    let bytes: Int
    let rows: [Row]
  }

  struct Row: Encodable {
    let contestant: String
    var runs: Int?
    var wallMilliseconds: Double?
    var cpuMilliseconds: Double?
    var megabytesPerSecond: Double?
    var ratio: Double?
    var skipped: String?
  }

  struct Bar: Encodable {
    let operation: String
    let format: String
    let size: String
    let measure: String
    let against: String
    let bound: String
    let limit: Double
    let measured: Double?
    let isMet: Bool?
  }
}
