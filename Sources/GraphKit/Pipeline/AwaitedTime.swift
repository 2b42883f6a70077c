/// How long nodes have waited for bytes of web servers so far: a time in which no sample can come.
struct AwaitedTime {
  private(set) var waitedNanoseconds: Int64 = 0
  private var last = ContinuousClock.now

  /// Takes whether a node waits. To be called many times a second.
  mutating func look(_ isAwaiting: Bool, at now: ContinuousClock.Instant = .now) {
    if isAwaiting { waitedNanoseconds += Int64((now - last) / .nanoseconds(1)) }
    last = now
  }
}
