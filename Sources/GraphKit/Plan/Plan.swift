/// What will be done: the graph with converters inserted, stages formed and queues sized.
///
/// A plan is data: it can be printed, compared and drawn, and nothing of GStreamer is in it. Each
/// of its passes is a function from plan to plan.
public struct Plan: Sendable, Equatable {
  /// The nodes: the graph's own and those that passes inserted.
  public var nodes: [PlanNode] { didSet { index = PlanIndex() } }
  /// The wires between them.
  public var wires: [PlanWire] { didSet { index = PlanIndex() } }

  /// What it gives up where it can't keep up, in this order; none where nothing in it is live.
  public var steps: [PlanStep] = []

  /// What is run before it, at most one plan: the first of two passes over the frames of encoders that
  /// ask for them.
  var firstPasses: [Plan] = []

  /// Shared by copies of the plan until one of them changes.
  private(set) var index = PlanIndex()

  init(nodes: [PlanNode], wires: [PlanWire]) {
    self.nodes = nodes
    self.wires = wires
  }

  /// The node of a name.
  public subscript(name: String) -> PlanNode? {
    index.numbers(self).nodes[name].map { nodes[$0] }
  }

  /// The wires that enter a node, in the order of its ports.
  public func inputs(of name: String) -> [PlanWire] {
    let numbers = index.numbers(self)
    return numbers.nodes[name].map { numbers.topology.incoming[$0].map { wires[$0] } } ?? []
  }

  /// The wires that leave a node.
  public func outputs(of name: String) -> [PlanWire] {
    let numbers = index.numbers(self)
    return numbers.nodes[name].map { numbers.topology.outgoing[$0].map { wires[$0] } } ?? []
  }

  /// Plans are equal where their nodes, wires, steps and first passes are.
  public static func == (a: Plan, b: Plan) -> Bool {
    a.nodes == b.nodes && a.wires == b.wires && a.steps == b.steps
      && a.firstPasses == b.firstPasses
  }
}

extension QueuePolicy {
  /// A queue of the newest sample alone.
  static var latest: QueuePolicy {
    var policy = QueuePolicy(
      time: Nanoseconds.time(Nanoseconds.longest), bytes: 1 << 40, samples: 1,
      interleavingWindow: Nanoseconds.time(Nanoseconds.longest), dropsWhenNotReady: true)
    policy.keepsLatest = true
    return policy
  }

  /// Whether it may run ahead of the other inputs by a limited time only.
  var isInterleaved: Bool { interleavingWindow < Nanoseconds.time(Nanoseconds.longest) }
}

/// A node in a plan.
public struct PlanNode: Sendable, Equatable {
  /// The node's name; an inserted node is named after the wire that needed it.
  public var name: String
  /// The node's type.
  public var type: NodeType
  /// The configured node.
  public var node: any Node
  /// The values that the graph or the pass gave.
  public var parameters: [String: JSONValue]
  /// The node's ports.
  public var ports: [PortDeclaration]
  /// Whether a pass inserted the node.
  public var isInserted: Bool
  /// The stage that the node belongs to: Swift nodes of the same number share a streaming thread
  /// and call each other directly. `nil` for elements.
  public var stage: Int?
  /// The node that does this one's work, too: the first of a chain of point effects. `nil` for all
  /// others.
  public var leader: String?
  /// The node that the graph has, where another does its work, as of a file that is read as PCM or of
  /// effects that are fused: it names the files. `nil` for all others.
  var original: (any Node)?

  public static func == (a: PlanNode, b: PlanNode) -> Bool {
    a.name == b.name && a.type == b.type && a.parameters == b.parameters && a.ports == b.ports
      && a.isInserted == b.isInserted && a.stage == b.stage && a.leader == b.leader
  }
}

/// A wire in a plan.
public struct PlanWire: Sendable, Hashable {
  /// The output.
  public var from: PortReference
  /// The input.
  public var to: PortReference
  /// What passes, as far as it is known before the run.
  public var format: FormatConstraint
  /// How samples get across.
  public var lowering: Lowering
}

/// How samples cross a wire.
public enum Lowering: Hashable, Sendable {
  /// A call from node to node inside a stage.
  case call
  /// A link from pad to pad, on the same thread.
  case link
  /// A bounded queue with a thread after it.
  case queue(QueuePolicy)
}

/// The bounds of a queue and what happens at them.
public struct QueuePolicy: Hashable, Sendable {
  /// Media time that the queue holds at most.
  public var time: MediaTime
  /// Bytes that the queue holds at most.
  public var bytes: Int
  /// Samples that the queue holds at most.
  public var samples: Int
  /// How far the wire may run ahead of the sink's other unfinished inputs.
  public var interleavingWindow: MediaTime
  /// Whether a sample that comes while the wire isn't ready is dropped: raw samples of live
  /// sources. All others wait.
  public var dropsWhenNotReady: Bool
  /// How long the sink waits for the input's first sample before it goes on without it; `nil` to
  /// wait for ever.
  public var firstSampleTimeout: MediaTime?
  /// Whether that time is one of the other inputs' samples, and not of the clock: programs bring samples
  /// when they like.
  public var timesOutByMedia = false
  /// Whether the queue holds as much more as another input is waited for that has had nothing yet: what
  /// comes of a live source would be lost until then.
  public var holdsForOthers = false
  /// Whether a producer that found the queue full goes on only when a quarter of it is free again,
  /// so that threads change seldom. For queues that no other node's progress depends on.
  public var refillsLate = false

  /// Whether a sample that comes takes the place of those that the queue holds: the producer never
  /// waits for the consumer, and the consumer gets the newest.
  public var keepsLatest = false

  /// Bounds for a queue.
  public init(
    time: MediaTime, bytes: Int, samples: Int, interleavingWindow: MediaTime,
    dropsWhenNotReady: Bool = false, firstSampleTimeout: MediaTime? = nil
  ) {
    self.time = time
    self.bytes = bytes
    self.samples = samples
    self.interleavingWindow = interleavingWindow
    self.dropsWhenNotReady = dropsWhenNotReady
    self.firstSampleTimeout = firstSampleTimeout
  }
}

extension PlanNode {
  /// The node of which one of this name is a copy: `peaks` of `peaks:1`.
  static func original(of name: String) -> String {
    guard let colon = name.lastIndex(of: ":"), Int(name[name.index(after: colon)...]) != nil else {
      return name
    }
    return String(name[..<colon])
  }
}
