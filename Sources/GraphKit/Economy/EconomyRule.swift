/// When a live graph counts as one that can't keep up, and when as one that has room. Times are
/// seconds of media.
package struct EconomyRule: Hashable, Sendable {
  /// How long the wires are watched before something is decided.
  package var window = 0.5
  /// A wire that is never less full than this for a window is one after which the graph is too slow.
  package var slow = 0.5
  /// The graph has room while no wire is fuller than this.
  package var calm = 0.25
  /// By how much the mean of a window falls below that of the one before where a wire empties.
  package var fall = 0.02
  /// How long it must have room before a step is taken back.
  package var rest = 5.0
  /// The longest that the rest becomes where a step has to be taken again and again.
  package var longestRest = 80.0

  /// The rule of every run.
  package init() {}

  /// The same, with all times so many times as long: for tests.
  package func scaled(by factor: Double) -> EconomyRule {
    var rule = self
    rule.window *= factor
    rule.rest *= factor
    rule.longestRest *= factor
    return rule
  }
}
