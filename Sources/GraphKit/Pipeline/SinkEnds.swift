import GStreamer

/// Which sinks of a pipeline have come to their ends.
struct SinkEnds {
  private var ended: Set<String> = []
  /// One that hasn't, as far as is known: thousands of them end one after the other, and only its end
  /// can be the last.
  private var awaited: String?
  /// Whether every sink has ended.
  private(set) var wereAll = false

  mutating func note(_ sink: String) { ended.insert(sink) }

  /// Whether every sink of a pipeline has ended.
  mutating func areAll(of pipeline: Element) -> Bool {
    guard !ended.isEmpty else { return false }
    if let awaited, !ended.contains(awaited) { return false }
    awaited = pipeline.sink(notIn: ended)
    wereAll = awaited == nil
    return wereAll
  }
}
