/// The multiples of a length of time: where the segments of all tracks begin that are to begin
/// together. In nanoseconds.
package struct TimeGrid: Hashable, Sendable {
  /// From one multiple to the next.
  package let interval: Int64
  /// Times are rounded: what is so much earlier is at the multiple.
  private static let tolerance: Int64 = 1_000_000

  /// The multiples of an interval, of at least a nanosecond.
  package init(_ interval: Int64) { self.interval = max(1, interval) }

  /// How many multiples a time has reached.
  package func cell(of time: Int64) -> Int64 {
    let (time, overflows) = time.addingReportingOverflow(Self.tolerance)
    guard !overflows else { return .max }
    let (quotient, rest) = time.quotientAndRemainder(dividingBy: interval)
    return rest < 0 ? quotient - 1 : quotient
  }
}
