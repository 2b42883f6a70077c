/// The bounds of one queue.
struct QueueSizing {
  private let wire: PlanWire
  private let size: FormatSize
  /// How much earlier than the others of its node the input comes.
  private let skew: Int64
  /// The longest sample of any input of the node.
  private let block: Int64
  private let joins: Bool
  private let isLive: Bool
  private let isOfLive: Bool
  /// Whether all that comes to the wire's node is a program's.
  private let isOfProgram: Bool
  /// Whether something live comes to the wire's node.
  private let joinsLive: Bool
  private let isSink: Bool
  /// Whether it comes from a node that takes its inputs in turn, and may hold back what comes first.
  private let isJoined: Bool
  /// Whether the input is held up where another of its node lags.
  private let isHeldUp: Bool

  /// How much is held beyond what a sink takes, so that its tracks can end together.
  private let margin: Int64

  /// - Parameters:
  ///   - block: the longest sample of any input of the wire's node.
  ///   - isLive: whether the wire comes straight from a source that can't wait.
  ///   - isOfLive: whether it comes from one by any way.
  ///   - joinsLive: whether anything that comes to the wire's node is from one.
  ///   - isOfProgram: whether a program brings all that comes to the wire's node.
  init(
    _ number: Int, of plan: Plan, _ topology: Topology, block: Int64, skew: Int64, isLive: Bool,
    isOfLive: Bool, isOfProgram: Bool, joinsLive: Bool
  ) {
    let target = topology.target(of: number)
    wire = plan.wires[number]
    let sources = topology.incoming[topology.source(of: number)].map { plan.wires[$0].format }
    size = FormatSize(
      wire.format, channels: sources.filter { $0.kind == .audio }.flatMap(\.channels).max())
    self.skew = skew
    self.block = block
    joins = topology.incoming[target].count > 1
    self.isLive = isLive
    self.isOfLive = isOfLive
    self.isOfProgram = isOfProgram
    self.joinsLive = joinsLive
    isJoined = plan[wire.from.node]?.node.traits.takesInputsInTurn == true
    isSink = plan.nodes[target].type.role == .sink
    let inputs = topology.incoming[target]
    let hasVideo = inputs.contains { plan.wires[$0].format.kind == .encodedVideo }
    margin = isSink && joins && !isOfLive && hasVideo ? QueueBounds.mostReordered * block : 0
    isHeldUp = !isSink || !isOfLive || plan.nodes[target].node.work.elementNode == nil
  }

  /// The policy; throws where memory doesn't suffice for the delay that must be held.
  func policy() throws(PlanError) -> QueuePolicy {
    let time = joins ? skew + block + QueueBounds.interleavingWindow : QueueBounds.base
    let held = time + margin
    var policy = QueuePolicy(
      time: Nanoseconds.time(held), bytes: try bytes(for: held),
      samples: whole(size.samples(in: held)),
      interleavingWindow: Nanoseconds.time(window(time)),
      dropsWhenNotReady: isLive && !wire.format.kind.isEncoded,
      firstSampleTimeout: isGivenUp ? Nanoseconds.time(QueueBounds.firstSampleTimeout) : nil)
    policy.timesOutByMedia = isOfProgram
    policy.holdsForOthers = isOfLive && joins && isSink
    return policy
  }

  /// Whether the sink goes on without the input where that has nothing for long. A program that doesn't
  /// follow the clock may take its time.
  private var isGivenUp: Bool { joins && isSink && !isJoined && (joinsLive || !isOfProgram) }

  /// A device that falls silent must not hold up the others of a recording, which would be lost.
  private func window(_ time: Int64) -> Int64 {
    guard joins else { return QueueBounds.interleavingWindow }
    return isHeldUp ? time : Nanoseconds.longest
  }

  private func bytes(for time: Int64) throws(PlanError) -> Int {
    let limit = skew > 0 ? QueueBounds.byteLimit : QueueBounds.relaxedByteLimit
    let least = (size.frameBytes ?? 0) * Double(QueueBounds.leastSamples)
    if skew > 0, let needed = size.bytes(in: skew + block), needed > Double(limit) {
      throw .delayTooLong(
        [wire.to], delay: Nanoseconds.time(skew), bytes: whole(needed), limit: limit)
    }
    let wanted = min(size.bytes(in: time) ?? Double(limit), Double(limit))
    return whole(max(wanted, least, 1))
  }

  /// A count that fits: what is beyond can't be reached by any queue.
  private func whole(_ count: Double) -> Int {
    count < 1e15 ? Int(count.rounded(.up)) : 1_000_000_000_000_000
  }
}
