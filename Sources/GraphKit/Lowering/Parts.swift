import GStreamer

/// The elements of one part of a pipeline, all in its bin.
struct PartElements {
  let bin: Element
  /// The node of each element, by the element's name.
  private(set) var owners: [String: String] = [:]
  /// The Swift elements, kept alive with the pipeline.
  private(set) var swift: [SwiftElement] = []

  init(in bin: Element) { self.bin = bin }

  mutating func add(_ element: Element, for node: String) {
    owners[element.name] = node
    bin.add(element)
  }

  mutating func add(_ element: SwiftElement, for node: String) {
    swift.append(element)
    add(element.element, for: node)
  }
}

/// What samples leave an element node through.
enum SourceEnd {
  case pad(Pad)
  /// A pad that appears while the element starts.
  case stream(Element, id: String)
  /// The first pad of a medium that appears while the element runs.
  case first(Element, MediaKind)
}

/// The elements of nodes that are elements.
struct ElementPart {
  var elements: PartElements
  /// Where samples go into a port, and where they come out of one.
  var entrances: [PortReference: Pad] = [:]
  var ends: [PortReference: SourceEnd] = [:]
  /// What is to appear inside of nodes.
  var streams: [AwaitedStream] = []
  /// What is done to the samples at outputs whose pads appear while their elements start.
  var lateFilters: [PortReference: FilterRow] = [:]
  /// The files that are written.
  var claims: [OutputClaim] = []
  /// What writes files in Swift, by node.
  var writers: [String: WriterBody] = [:]
  /// For each node that writes a file of tracks, what enters them.
  var accounts: [String: [TrackAccount]] = [:]
  var changes: [String: LiveChanges] = [:]
}

/// The wires that are queues.
struct QueuePart {
  var elements: PartElements
  /// The queue of a wire, by the wire.
  var pads: [PlanWire: (input: Pad?, output: Pad?)] = [:]
  var groups: [WireGroup] = []
  /// The queues that lead to sinks.
  var sinkQueues: [(group: WireGroup, index: Int)] = []
  var inputs: [String: SampleInput] = [:]
  var outputs: [String: SampleOutput] = [:]
  /// What leaves frames out where the graph can't keep up.
  var thinners: [ThinnedStream: FrameThinner] = [:]

  /// The queue that a wire is.
  func queue(of wire: PlanWire) -> (group: WireGroup, index: Int)? {
    for group in groups {
      if let index = group.wires.firstIndex(where: { $0.from == wire.from && $0.to == wire.to }) {
        return (group, index)
      }
    }
    return nil
  }
}

/// The stages, which Swift nodes are.
struct StagePart {
  var elements: PartElements
  /// Where samples go into a stage, and the pad of a stage where a wire begins.
  var entrances: [PortReference: Pad] = [:]
  var exits: [PlanWire: Pad] = [:]
  var loops: [PendingLoop] = []
  var places: [String: StagePlace] = [:]
  /// The wires that hold nothing, by name.
  var counters: [(name: String, counter: WireCounter)] = []
  var changes: [String: LiveChanges] = [:]
}

/// What joins all of these.
struct LinkPart {
  var elements: PartElements
  var counters: [(name: String, counter: WireCounter)] = []
  /// The streams of files that were found when the graph was checked.
  var streams: [AwaitedStream] = []
  /// For each stream of a file, the packets that its reader left out.
  var unread: [UnreadPackets] = []
  /// What copies files in pieces, by source.
  var copies: [String: PieceCopy] = [:]
}
