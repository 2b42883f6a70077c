extension MediaTime: Comparable, Hashable {
  /// Whether two times are the same; invalid times are equal to each other.
  public static func == (a: MediaTime, b: MediaTime) -> Bool {
    guard a.form == .numeric, b.form == .numeric else { return a.form == b.form }
    guard a.timescale != b.timescale else { return a.value == b.value }
    return a.value.timesFullWidth(b.timescale) == b.value.timesFullWidth(a.timescale)
  }

  /// A total order, so that any list of times can be sorted:
  /// −infinity < every number < indefinite < +infinity < invalid.
  public static func < (a: MediaTime, b: MediaTime) -> Bool {
    guard a.form == .numeric, b.form == .numeric else { return a.form.rawValue < b.form.rawValue }
    guard a.timescale != b.timescale else { return a.value < b.value }
    return a.value.timesFullWidth(b.timescale) < b.value.timesFullWidth(a.timescale)
  }

  /// Hashes the time in lowest terms, so that equal times hash alike.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(form)
    guard isNumeric else { return }
    let divisor = greatestCommonDivisor(UInt(value.magnitude), UInt(timescale))
    // Only Int64.min could meet a divisor that Int64 can't hold, and a timescale never is one.
    hasher.combine(value / Int64(divisor))
    hasher.combine(Int64(timescale) / Int64(divisor))
  }
}

extension Int64 {
  fileprivate func timesFullWidth(_ factor: Int32) -> Int128 { Int128(self) * Int128(factor) }
}
