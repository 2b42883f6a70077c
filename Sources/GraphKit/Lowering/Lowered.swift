import GStreamer
import GraphKitSystem

/// A plan made real: the elements, and everything that the run asks of them.
struct Lowered: Sendable {
  let pipeline: Element
  /// The Swift elements, kept alive with the pipeline.
  let swiftElements: [SwiftElement]
  let groups: [WireGroup]
  /// The wires that hold nothing, by name.
  let counters: [(name: String, counter: WireCounter)]
  let changes: [String: LiveChanges]
  let loops: [PendingLoop]
  /// Where the threads of the stages are, by the names of their elements.
  let places: [String: StagePlace]
  let inputs: [String: SampleInput]
  let outputs: [String: SampleOutput]
  /// The node of each element, by the element's name.
  let owners: [String: String]
  /// Complaints of GStreamer's without a ground, by parts of their messages.
  let groundlessComplaints: [String]
  /// The queues that lead to sinks: what is ended where a failed run still closes its files.
  let sinkQueues: [(group: WireGroup, index: Int)]
  /// For each live source made of elements, the pads that its samples leave through.
  let livePads: [[Pad]]
  /// The files that elements write, by node.
  let fileOutputs: [String: any FileOutput]
  /// For each node that writes a file of tracks, what is known of each input.
  let tracks: [String: [OutputTrack]]
  /// For each node that writes a file of tracks, what enters them.
  let accounts: [String: [TrackAccount]]
  /// The streams of files that were found when the graph was checked.
  let streams: [AwaitedStream]
  /// For each stream of a file, the packets that its reader left out.
  let unread: [UnreadPackets]
  /// The files that are written.
  let claims: [OutputClaim]
  /// What writes files in Swift, by node.
  let writers: [String: WriterBody]
  /// What copies files in pieces, kept alive for the pads that call it.
  let copies: [PieceCopy]
  /// What leaves frames out where the graph can't keep up.
  let thinners: [ThinnedStream: FrameThinner]
  /// The names of the wires that lead to previews alone, beside others.
  let asideWires: Set<String>
}

/// A source that is written in Swift, with its thread not yet started.
final class PendingLoop: Sendable {
  let loop: SourceLoop
  private let runner: Monitor<SourceRunner?>

  init(_ loop: SourceLoop, _ runner: SourceRunner) {
    self.loop = loop
    self.runner = Monitor(runner)
  }

  /// Starts the thread; a second call does nothing.
  func start(context: RunContext) {
    runner.withLock { pending in
      guard let runner = pending else { return }
      pending = nil
      loop.start(runner, context: context)
    }
  }
}
