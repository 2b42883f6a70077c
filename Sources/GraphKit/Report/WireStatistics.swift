/// Why a sample didn't reach the other end of its wire.
public enum DropReason: String, Hashable, Sendable, Codable, CaseIterable {
  /// It came from a live source while the wire held as much as it may.
  case wireFull
  /// It came from a live source while the wire was ahead of another input of the sink.
  case aheadOfOtherInput
  /// It is before the start of the session: before the first video sample.
  case beforeSessionStart
  /// It is after the end of the session that the sink was limited to.
  case afterSessionEnd
  /// The sink had gone on without this input.
  case inputLeftOut
  /// It was left out by a step of `whenSlow`, since the graph couldn't keep up.
  case whenSlow
  /// A newer one came before it was taken, on the way to a preview.
  case superseded
  /// It got to the sink, and isn't in the file that the sink wrote.
  case notWritten
  /// It got to the sink, whose parameters had it not recorded at its time.
  case notRecorded
  /// It is in the file that the source reads, and no frame could be made of it.
  case notRead
  /// The consumer had ended, failed or been cancelled.
  case runEnded
}

/// What passed a wire, to the sample: in = out + held + dropped.
public struct WireLedger: Hashable, Sendable, Codable {
  /// Samples that entered.
  public var samplesIn = 0
  /// Samples that left at the other end.
  public var samplesOut = 0
  /// Samples that are on the wire.
  public var held = 0
  /// Samples that were dropped, by reason.
  public var dropped: [String: Int] = [:]
  /// The most samples that the wire held at once.
  public var highWaterSamples = 0
  /// The most bytes that the wire held at once.
  public var highWaterBytes = 0
  /// The most media time that the wire held at once, in seconds.
  public var highWaterSeconds = 0.0
  /// How often a producer waited until the wire was ready.
  public var waits = 0
  /// How long producers waited, in seconds; a wait that goes on counts up to now.
  public var waitedSeconds = 0.0
  /// How long the thread that takes samples from it waited for one, in seconds; a wait that goes on
  /// counts up to now.
  public var idleSeconds = 0.0

  /// Whether every sample is accounted for.
  public var isBalanced: Bool { samplesIn == samplesOut + held + dropped.values.reduce(0, +) }
}

extension WireLedger {
  /// Books samples as dropped: of those that had left the wire where they got to the sink, else of
  /// others, which never entered.
  mutating func book(_ reason: DropReason, count: Int) {
    let isAfterWire = reason == .notWritten || reason == .notRecorded
    let lost = isAfterWire ? min(count, samplesOut) : count
    guard lost > 0 else { return }
    if isAfterWire { samplesOut -= lost } else { samplesIn += lost }
    dropped[reason.rawValue, default: 0] += lost
  }
}
