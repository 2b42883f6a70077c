/// What the threads of a run did, in the format that Perfetto and Chrome's `about:tracing` read.
///
/// The format is the "Trace Event Format" of the Chromium project, in its object form: complete
/// events (`ph: X`) with times in microseconds, and a name for each track (`ph: M`).
public struct Trace: Sendable, Encodable {
  /// The events, and the names of the tracks before them.
  public let traceEvents: [Entry]

  /// One entry of the trace.
  public struct Entry: Sendable, Hashable, Encodable {
    var name: String
    var cat: String?
    var ph: String
    var ts: Double?
    var dur: Double?
    var pid = 1
    var tid: Int
    var args: [String: String]?
  }

  init(_ spans: [TraceSpan]) {
    let tracks = Set(spans.map(\.track)).sorted()
    let numbers = Dictionary(
      zip(tracks, 1...).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    let names = tracks.map { track in
      Entry(name: "thread_name", ph: "M", tid: numbers[track] ?? 0, args: ["name": track])
    }
    traceEvents =
      names
      + spans.sorted { $0.start < $1.start }.map { span in
        Entry(
          name: span.name, cat: "graph", ph: "X", ts: (span.start * 1e6).rounded(),
          dur: (span.duration * 1e6).rounded(), tid: numbers[span.track] ?? 0,
          args: span.cause.map { ["cause": $0] })
      }
  }
}
