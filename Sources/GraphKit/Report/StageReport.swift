/// How a thread spent the active time of a run, which is that without preparation and pauses: what
/// takes samples from a wire, or from a source, and all that is called with them up to the next
/// wires. Times are in seconds.
public struct StageReport: Sendable, Hashable, Codable {
  /// The nodes whose work is done there, in the order of the plan.
  public var nodes: [String]
  /// How long it had no sample to work on, also after its last one; `nil` for a source, of which only
  /// its device or its file knows.
  public var waitedForInput: Double?
  /// How long it waited since a wire after it was full.
  public var waitedForRoom: Double
  /// The rest: its nodes at work, or what they wait for themselves, such as a disk.
  public var busy: Double

  /// The part of a run's active time that it was busy, from 0 to 1.
  func busyShare(of seconds: Double) -> Double { seconds > 0 ? min(1, busy / seconds) : 0 }
}

/// What limits how fast a run is, as far as its stages show.
struct RunLimit {
  /// What they show.
  enum Verdict: Hashable {
    /// A stage, busy for a part of the time.
    case stage([String], share: Double)
    /// Live sources: everything else keeps up with them.
    case live([String])
    /// Nothing alone; this stage is the busiest.
    case spread([String], share: Double)
  }

  /// From which part of the time on a busy stage is what limits a run.
  private static let full = 0.8
  /// Below which part of one processor a busy stage waits for something else.
  private static let idle = 0.25

  let verdict: Verdict
  private let processors: Double

  /// - Parameters:
  ///   - stages: how threads spent their time, but for those of live sources.
  ///   - live: the live sources.
  ///   - seconds: the active time of the run.
  ///   - processors: how many cores the process took, on average.
  init?(_ stages: [StageReport], live: [String], seconds: Double, processors: Double) {
    let busiest = stages.max { $0.busy < $1.busy }
    let share = busiest?.busyShare(of: seconds) ?? 0
    self.processors = processors
    if let busiest, share >= Self.full {
      verdict = .stage(busiest.nodes, share: share)
    } else if !live.isEmpty {
      verdict = .live(live)
    } else if let busiest {
      verdict = .spread(busiest.nodes, share: share)
    } else {
      return nil
    }
  }

  /// The limit in a line.
  var text: String {
    let processor = "the process took \(Self.percent(processors)) of one core"
    return switch verdict {
    case .stage(let nodes, let share):
      "\(list(nodes)), busy for \(Self.percent(share)) of the time"
        + (processors < Self.idle ? ", mostly waiting for a disk, a network or a device" : "")
        + "; \(processor)"
    case .live(let nodes):
      "\(list(nodes)), which \(nodes.count == 1 ? "is" : "are") live; \(processor)"
    case .spread(let nodes, let share):
      "no stage alone; the busiest is \(list(nodes)), for \(Self.percent(share)) of the time; "
        + processor
    }
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
