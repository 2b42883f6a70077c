import GStreamer

/// Makes the elements of a plan and links them. Used once, on one thread.
final class Lowerer {
  let plan: Plan
  let environment: any Environment
  let context: RunContext
  /// Made on first use: the library must have started.
  private(set) lazy var pipeline = Element.pipeline("graph")

  var swiftElements: [SwiftElement] = []
  var groups: [WireGroup] = []
  var counters: [(name: String, counter: WireCounter)] = []
  var changes: [String: LiveChanges] = [:]
  var loops: [PendingLoop] = []
  var inputs: [String: SampleInput] = [:]
  var outputs: [String: SampleOutput] = [:]
  var owners: [String: String] = [:]
  var sinkQueues: [(group: WireGroup, index: Int)] = []

  var streams: [AwaitedStream] = []
  var accounts: [String: [TrackAccount]] = [:]
  var unread: [UnreadPackets] = []
  var claims: [OutputClaim] = []
  /// The nodes that write files in Swift.
  var writers: [(node: String, body: WriterBody, claim: OutputClaim)] = []

  /// The wires that lead to previews alone, beside others.
  private(set) lazy var asideWires = plan.asideWires

  /// What ends the wires of sources that lead to a limited sink.
  var limits: [PlanWire: Plan.WireLimit] = [:]

  /// Whether a node is a sink that no other node waits for.
  func isAside(_ node: String) -> Bool { asideNodes.contains(node) }

  private lazy var asideNodes = Set(asideWires.map(\.to.node))

  /// The nodes whose samples come, in the end, from a source that doesn't wait.
  private(set) lazy var liveNodes = plan.names(
    reachedFrom: plan.nodes.filter(\.node.traits.isLive).map(\.name))

  /// Where samples come out of a port, and where they go into one.
  var ends: [PortReference: SourceEnd] = [:]
  var sinkPads: [PortReference: Pad] = [:]
  /// The streams of files that elements read.
  var fileStreams: [PortReference: FileStream] = [:]
  /// What is done to the samples at outputs whose pads appear while their elements start.
  var lateFilters: [PortReference: FilterRow] = [:]
  /// The files that elements write, by node.
  var fileOutputs: [String: any FileOutput] = [:]
  /// The samples that encoders put before the first.
  var primings: [String: Int] = [:]
  /// The pad of a stage where a wire begins.
  var stagePads: [PlanWire: Pad] = [:]
  /// The queue of a wire, by the wire.
  var queuePads: [PlanWire: (input: Pad?, output: Pad?)] = [:]

  /// What samples leave an element node through.
  enum SourceEnd {
    case pad(Pad)
    /// A pad that appears while the element starts.
    case stream(Element, id: String)
  }

  init(_ plan: Plan, environment: any Environment, context: RunContext) {
    self.plan = plan
    self.environment = environment
    self.context = context
  }

  /// Makes everything; throws where an element is missing or two don't fit.
  func lower() throws(PipelineFailure) -> Lowered {
    let chains = try chooseChains()
    Library.start(plugins: plugins(of: chains))
    for (node, chain) in chains { try make(chain, for: node) }
    try makeQueues()
    try makeStages()
    try link()
    keepLeads()
    try openWriters()
    return Lowered(
      pipeline: pipeline, swiftElements: swiftElements, groups: groups, counters: counters,
      changes: changes, loops: loops, inputs: inputs, outputs: outputs, owners: owners,
      sinkQueues: sinkQueues, livePads: livePads, fileOutputs: fileOutputs,
      tracks: tracks, accounts: accounts,
      streams: streams, unread: unread, claims: claims,
      writers: Dictionary(uniqueKeysWithValues: writers.map { ($0.node, $0.body) }),
      asideWires: Set(asideWires.map(\.name)))
  }

  private var livePads: [[Pad]] {
    let live = plan.nodes.filter { $0.node.traits.isLive && $0.node.work.elementNode != nil }
    return live.map { node in
      ends.compactMap { port, end in
        guard port.node == node.name, case .pad(let pad) = end else { return nil }
        return pad
      }
    }.filter { !$0.isEmpty }
  }

  /// The plug-ins to load; `nil` for all, where an element's plug-in isn't known by name.
  private func plugins(of chains: [(PlanNode, ElementChain)]) -> Set<String>? {
    var names: Set<String> = []
    for spec in chains.flatMap({ $1.allElements }) {
      guard let plugin = spec.plugin else { return nil }
      names.insert(plugin)
    }
    return names
  }

  func add(_ element: Element, for node: String) {
    owners[element.name] = node
    pipeline.add(element)
  }

  func add(_ element: SwiftElement, for node: String) {
    swiftElements.append(element)
    add(element.element, for: node)
  }
}

extension PlanWire {
  /// The wire as people name it.
  var name: String { "\(from) -> \(to)" }
}
