/// What the stall doctor sees of a wire.
struct WireSnapshot: Hashable, Sendable {
  var name: String
  var from: String
  var to: String
  var samples: Int
  var seconds: Double
  var capacitySamples: Int
  var capacitySeconds: Double
  /// What its producer waits for, in words; `nil` where it doesn't.
  var producerWaits: String?
  /// The wire that its producer waits for to catch up.
  var behind: String?
  /// Whether its consumer waits for a sample.
  var consumerWaits: Bool
  var isFinished: Bool
  /// Whether a program takes its samples.
  var leadsToProgram = false
}

extension WireSnapshot {
  /// Whether it is full, since no program takes its samples.
  fileprivate var isUnread: Bool { leadsToProgram && producerWaits != nil && !isFinished }
}

/// Says who waits for whom where nothing moves.
enum StallDoctor {
  static func failure(_ wires: [WireSnapshot], _ timeout: Double) -> PipelineFailure {
    let cycle = findCycle(wires)
    var failure = stall("nothing moved for \(timeout.secondsText)", wires)
    if !cycle.isEmpty {
      failure.message += ": " + cycle.joined(separator: ", ")
      failure.remedy = "give the full wire more room, or take the delay off the empty one"
    } else if let unread = wires.first(where: \.isUnread) {
      failure.node = unread.to
      failure.message += ": no program takes its samples"
      failure.remedy =
        "read all outputs of a pipeline side by side, each in a task of its own, and leave out those "
        + "that nothing reads"
    } else if let idle = idleNode(wires) {
      let isFull = wires.contains { $0.to == idle && $0.producerWaits != nil && !$0.isFinished }
      failure.node = idle
      failure.remedy =
        isFull
        ? "see why it takes no samples and gives none"
        : "see why it gives no samples; a source that waits for some says so by `setAwaiting`"
    }
    return failure
  }

  /// The one node that others wait for and that waits for none itself; `nil` where there are several.
  private static func idleNode(_ wires: [WireSnapshot]) -> String? {
    let edges = waits(wires)
    return Array(Set(edges.map(\.whom)).subtracting(edges.map(\.who))).onlyElement
  }

  /// What to say where a run that was asked to end has come to rest before its end.
  static func unended(_ wires: [WireSnapshot]) -> PipelineFailure {
    var failure = stall("the run was asked to end, and nothing moved any more", wires)
    failure.remedy = "look at what the node waits for that has samples and gives none on"
    return failure
  }

  private static func stall(_ message: String, _ wires: [WireSnapshot]) -> PipelineFailure {
    var failure = PipelineFailure(
      node: nil, message: message, remedy: "look at the node that the empty wires come from",
      detail: wires.filter { !$0.isFinished }.map(describe).joined(separator: "\n"))
    failure.isStall = true
    return failure
  }

  /// One wire in words, with its fill.
  static func describe(_ wire: WireSnapshot) -> String {
    let fill =
      "\(wire.samples) of \(wire.capacitySamples) samples, "
      + "\(wire.seconds.rounded(to: 2)) of \(wire.capacitySeconds.rounded(to: 2)) s"
    let state =
      wire.producerWaits.map { "\(wire.from) waits: \($0)" }
      ?? (wire.consumerWaits ? "\(wire.to) waits for a sample" : "moving")
    return "\(wire.name): \(fill); \(state)"
  }

  /// Follows who waits for whom until it comes round: a producer that is ahead waits for the wire
  /// that lags, a full wire's producer waits for its consumer, an empty wire's consumer for its
  /// producer.
  static func findCycle(_ wires: [WireSnapshot]) -> [String] {
    let edges = waits(wires)
    for start in edges.map(\.who) {
      if let path = path(from: start, edges) { return path }
    }
    return []
  }

  struct Wait: Hashable {
    var who: String
    var whom: String
    var why: String
  }

  static func waits(_ wires: [WireSnapshot]) -> [Wait] {
    var edges: [Wait] = []
    for wire in wires where !wire.isFinished {
      if let cause = wire.producerWaits {
        let late = wire.behind.flatMap { name in wires.first { $0.name == name } }
        edges.append(
          Wait(
            who: wire.from, whom: late?.from ?? wire.to,
            why: "\(wire.from) waits since \(wire.name) is \(cause)"))
      } else if wire.samples == 0 {
        edges.append(
          Wait(who: wire.to, whom: wire.from, why: "\(wire.to) waits for a sample on \(wire.name)"))
      }
    }
    return edges
  }

  private static func path(from start: String, _ edges: [Wait]) -> [String]? {
    var stack: [(node: String, path: [String])] = [(start, [])]
    var seen: Set<String> = []
    while let (node, path) = stack.popLast() {
      for edge in edges where edge.who == node {
        if edge.whom == start { return path + [edge.why] }
        if seen.insert(edge.whom).inserted { stack.append((edge.whom, path + [edge.why])) }
      }
    }
    return nil
  }
}

extension Double {
  /// So many seconds, for people: `10 s`, `0.5 s`.
  var secondsText: String { self == rounded() ? "\(Int(self)) s" : "\(self) s" }

  /// The number with some decimals, for people.
  func rounded(to places: Int) -> Double {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
