/// A node whose frames leave its output `out` in another size than they enter its input `in`.
///
/// Checking and planning ask it for the size, so that what follows knows it before anything runs.
public protocol ReshapingNode: Node {
  /// What leaves where frames of some format enter, in size and orientation; every other field is
  /// passed on by the ports' own rules. Unknown sizes stay open.
  func reshaped(_ entering: FormatConstraint) -> FormatConstraint
}
