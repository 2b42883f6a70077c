/// A plan as plain data, for programs that read what `graphctl plan --format json` writes.
public struct PlanListing: Codable, Hashable, Sendable {
  /// The nodes, in the order of the graph; inserted ones last.
  public var nodes: [Node]
  /// The wires.
  public var wires: [Wire]
  /// What is given up, in this order, where the graph can't keep up; `nil` where nothing in it is live.
  public var whenSlow: [String]?
  /// The first of two passes, which is run before the rest; `nil` where no encoder asks for one.
  public var firstPasses: [PlanListing]?

  /// A node of the listing.
  public struct Node: Codable, Hashable, Sendable {
    /// The node's name.
    public var name: String
    /// The name of its type.
    public var type: String
    /// Where its type stands.
    public var role: NodeRole
    /// The parameters that the graph or a pass gave, each as text.
    public var parameters: [String: String]
    /// Whether a pass inserted the node.
    public var isInserted: Bool
    /// The stage that the node runs in, if any.
    public var stage: Int?
    /// The node that does this one's work, too, if any.
    public var leader: String?
    /// How long the node holds media back, in seconds.
    public var latency: Double
  }

  /// A wire of the listing.
  public struct Wire: Codable, Hashable, Sendable {
    /// The output.
    public var from: PortReference
    /// The input.
    public var to: PortReference
    /// What passes, in words.
    public var format: String
    /// `call`, `link` or `queue`.
    public var lowering: String
    /// The bounds, of a queue.
    public var queue: Queue?
  }

  /// The bounds of a queue in the listing; times are in seconds.
  public struct Queue: Codable, Hashable, Sendable {
    /// Media time that it holds at most; `nil` where nothing limits that.
    public var time: Double?
    /// Bytes that it holds at most; `nil` where nothing limits that.
    public var bytes: Int?
    /// Samples that it holds at most.
    public var samples: Int
    /// How far it may run ahead of the other inputs; `nil` where nothing limits that.
    public var interleavingWindow: Double?
    /// Whether samples that come while it isn't ready are dropped.
    public var dropsWhenNotReady: Bool
    /// How long the sink waits for the first sample.
    public var firstSampleTimeout: Double?
  }

  /// Lists a plan.
  public init(_ plan: Plan) {
    nodes = plan.nodes.map { Node($0, latency: plan.latency(of: $0)) }
    wires = plan.wires.map(Wire.init)
    whenSlow = plan.steps.isEmpty ? nil : plan.steps.map(\.description)
    firstPasses = plan.firstPasses.isEmpty ? nil : plan.firstPasses.map(PlanListing.init)
  }
}

extension PlanListing.Node {
  init(_ node: PlanNode, latency: MediaTime) {
    self.init(
      name: node.name, type: node.type.name, role: node.type.role,
      parameters: node.parameters.mapValues(\.plain), isInserted: node.isInserted,
      stage: node.stage, leader: node.leader, latency: latency.seconds)
  }
}

extension PlanListing.Wire {
  init(_ wire: PlanWire) {
    self.init(
      from: wire.from, to: wire.to, format: wire.format.description, lowering: "link", queue: nil)
    switch wire.lowering {
    case .link: break
    case .call: lowering = "call"
    case .queue(let policy):
      lowering = "queue"
      queue = PlanListing.Queue(policy)
    }
  }
}

extension PlanListing.Queue {
  init(_ policy: QueuePolicy) {
    self.init(
      time: policy.keepsLatest ? nil : policy.time.seconds,
      bytes: policy.keepsLatest ? nil : policy.bytes, samples: policy.samples,
      interleavingWindow: policy.isInterleaved ? policy.interleavingWindow.seconds : nil,
      dropsWhenNotReady: policy.dropsWhenNotReady,
      firstSampleTimeout: policy.firstSampleTimeout?.seconds)
  }
}
