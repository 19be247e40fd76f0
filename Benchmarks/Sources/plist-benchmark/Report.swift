internal import Foundation

/// All that a run found.
struct Report {
  let options: Options
  let machine = Machine()
  let date = Date()
  let loadBefore = Machine.load
  var versions: [(name: String, version: String)] = []
  var inputs: [Input] = []
  var tables = Tables()

  init(options: Options) { self.options = options }

  /// The bars that were measured, and with what result; nil for those that were not.
  var bars: [(bar: Bar, figure: Bar.Figure?)] {
    Bar.all.map { ($0, $0.figure(tables, options.clock)) }
  }

  /// Whether a bar that was measured is missed.
  var missesBar: Bool {
    bars.contains { bar, figure in figure.map { !bar.isMet(by: $0.value) } ?? false }
  }
}
