import Foundation
import GraphKit
import GraphTesting
import Nodes
import Synchronization
import TestTools
import Testing

extension RunTests {
  /// Nodes that programs write, where they meet the ends of runs and what follows them.
  @Suite struct OwnNodeTests {
    private func own(_ source: some SourceNode, _ sink: some Node) throws -> Pipeline {
      var graph = GraphBuilder(catalog: .builtIn)
      let (from, to) = (graph.add("own", source), graph.add("end", sink))
      graph.connect(from.port("out", as: AnyMedia.self), to: to.port("in", as: AnyMedia.self))
      return try Pipeline(
        Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment())
    }

    /// What is cancelled hasn't ended: a file that is written at the end isn't.
    @Test(arguments: [1, 1_000_000]) func nothingFollowsACancellation(blocksInACall: Int)
      async throws
    {
      let calls = Calls()
      var source = OwnSource(calls)
      source.blocksInACall = blocksInACall
      let run = try own(source, OwnSink(calls))
      run.start()
      for await _ in calls.hundredth.stream { break }
      run.cancel()
      #expect(await run.report().state == .cancelled)
      #expect(calls.finishes.load(ordering: .relaxed) == 0)
    }

    @Test func anEndIsAnEnd() async throws {
      let calls = Calls()
      var source = OwnSource(calls)
      source.blocks = 7
      #expect(try await own(source, OwnSink(calls)).run().unbalanced == [])
      #expect(calls.count.load(ordering: .relaxed) == 7)
      #expect(calls.finishes.load(ordering: .relaxed) == 1)
    }

    /// The other sink's file is whole by then, so that the run has all but come to its end.
    @Test func aNodeThatIsSlowToFinishFinishes() async throws {
      let folder = try TestFolder()
      let calls = Calls()
      var source = OwnSource(Calls())
      source.blocks = 20
      var graph = GraphBuilder(catalog: .builtIn)
      let own = graph.add("own", source)
      let file = graph.add("file", WAVSink()) { $0.path = folder.path("a.wav") }
      let (slow, end) = (graph.add("slow", SlowEnd()), graph.add("end", OwnSink(calls)))
      graph.connect(own.port("out", as: AnyMedia.self), to: file.port("in", as: AnyMedia.self))
      graph.connect(own.port("out", as: AnyMedia.self), to: slow.port("in", as: AnyMedia.self))
      graph.connect(slow.port("out", as: AnyMedia.self), to: end.port("in", as: AnyMedia.self))
      let run = try Pipeline(
        Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment())
      #expect(try await run.run().unbalanced == [])
      #expect(calls.count.load(ordering: .relaxed) == 20)
      #expect(calls.finishes.load(ordering: .relaxed) == 1)
    }

    private func failure(of source: some SourceNode, into sink: some Node) async throws
      -> PipelineFailure
    {
      let run = try own(source, sink)
      let error = await #expect(throws: RunError.self) { try await run.run() }
      let failure = try #require(error?.report.failure)
      #expect(!failure.isStall && failure.node == "own", "\(failure)")
      return failure
    }

    @Test func aTimeBeforeTheBeginningIsRefused() async throws {
      let folder = try TestFolder()
      var source = OwnSource(Calls())
      source.start = MediaTime(value: -1, timescale: 2)
      var sink = WAVSink()
      sink.path = folder.path("a.wav")
      let failure = try await failure(of: source, into: sink)
      #expect(failure.message.contains("-0.5 s, before the stream's beginning"), "\(failure)")
    }

    /// Sums of times may be a rounding away from it.
    @Test func aTimeJustBeforeTheBeginningIsTheBeginning() async throws {
      let folder = try TestFolder()
      var source = OwnSource(Calls())
      source.blocks = 10
      source.start = MediaTime(value: -1, timescale: 1_000_000)
      var sink = WAVSink()
      sink.path = folder.path("a.wav")
      #expect(try await own(source, sink).run().unbalanced == [])
      let samples = try decodedSound(of: sink.path)
      #expect(samples.count == 4_800)
    }

    @Test func aFormatThatNothingTakesIsNamed() async throws {
      let folder = try TestFolder()
      var source = OwnSource(Calls())
      source.laterRate = 44_100
      var sink = WAVSink()
      sink.path = folder.path("a.wav")
      let failure = try await failure(of: source, into: sink)
      #expect(failure.message.contains("44.1 kHz"), "\(failure)")
    }

    private func connect<Encoder: Node>(
      _ sound: OutputEnd<AnyMedia>, _ encoder: Encoder, _ file: NodeHandle<MatroskaSink>,
      _ graph: inout GraphBuilder
    ) {
      let node = graph.add("encoder", encoder)
      graph.connect(sound, to: node.port("in", as: AnyMedia.self))
      graph.connect(
        node.port("out", as: AnyMedia.self), to: file.port("audio", as: AnyMedia.self))
    }

    @Test(
      "an encoder gets all audio in its first format, or the run fails with what changes",
      arguments: [("aac", true), ("opus", false), ("mp3", false), ("flac", true)])
    func theRateChangesBeforeAnEncoder(codec: String, isRefused: Bool) async throws {
      let folder = try TestFolder()
      var (source, sink) = (OwnSource(Calls()), MatroskaSink())
      (source.laterRate, source.blocks) = (24_000, 100)
      sink.path = folder.path("a.mkv")
      var graph = GraphBuilder(catalog: .builtIn)
      let (first, last) = (graph.add("own", source), graph.add("end", sink))
      let sound: OutputEnd<AnyMedia> = first.port("out", as: AnyMedia.self)
      switch codec {
      case "aac": connect(sound, AACEncoder(), last, &graph)
      case "opus": connect(sound, OpusEncoder(), last, &graph)
      case "mp3": connect(sound, MP3Encoder(), last, &graph)
      default: connect(sound, FLACEncoder(), last, &graph)
      }
      let run = try Pipeline(
        Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment())
      if isRefused {
        let error = await #expect(throws: RunError.self) { try await run.run() }
        #expect(error?.report.failure?.message.contains("24 kHz") == true)
        return
      }
      #expect(try await run.run().warnings == nil)
      #expect(abs(try decodedSound(of: sink.path).count - 48_000) < 3_000)
    }

    @Test("a node that takes nothing from the beginning on leaves the rest of a movie whole")
    func enoughBeforeTheFirstSample() async throws {
      let folder = try TestFolder()
      let path = folder.path("a.mp4")
      var catalog = Catalog.builtIn
      _ = catalog.add(NodeType(Unwilling.self))
      let report = try await pipeline(
        """
        { "nodes": {
            "frames": { "type": "testVideo", "width": 64, "height": 48, "frames": 75 },
            "video": { "type": "h264Encoder" }, "tone": { "type": "testAudio", "seconds": 3 },
            "none": { "type": "unwilling" }, "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["frames -> video -> movie.video", "tone -> none -> audio -> movie.audio"] }
        """, catalog: catalog
      ).run()
      #expect(report.state == .completed)
      let streams = try probe(path)
      #expect(streams.map(\.codec_name) == ["h264"] && streams.first?.frames == 75)
    }

    @Test("a frame that lacks bytes is refused, with the node that sends it")
    func aFrameThatIsTooSmall() async throws {
      let failure = try await failure(of: ShortFrames(), into: NullSink())
      #expect(failure.node == "own", "\(failure)")
      #expect(failure.message.contains("100 bytes"), "\(failure)")
    }

    @Test(arguments: [-1, 1, 7]) func anOutputThatIsNotThereIsAnError(output: Int) async throws {
      var source = OwnSource(Calls())
      source.output = output
      let failure = try await failure(of: source, into: NullSink())
      #expect(failure.message.contains("output \(output)"), "\(failure)")
    }

    @Test(arguments: [Double.nan, .infinity]) func aNumberThatIsNoneIsRefused(number: Double) {
      #expect(throws: GraphErrors.self) {
        var graph = GraphBuilder(catalog: .builtIn)
        let source = graph.add("tone", TestAudio()) { $0.seconds = number }
        let end = graph.add("end", NullSink())
        graph.connect(
          source.port("out", as: AnyMedia.self), to: end.port("in", as: AnyMedia.self))
        _ = try graph.build(in: LiveEnvironment())
      }
    }

    @Test func formatsThatNoStreamHasAreRefused() {
      let formats: [MediaFormat] = [
        .video(VideoFormat(.i420, width: -5, height: 5)),
        .video(VideoFormat(.i420, width: 1 << 31, height: 5)),
        .audio(AudioFormat(.f32, sampleRate: 48_000, channels: 0)),
        .audio(AudioFormat(.f32, sampleRate: 0, channels: 1)),
      ]
      for format in formats {
        #expect(throws: NodeError.self) { try FormatDescription(format) }
      }
    }

    @Test func theHarnessSaysWhatItsNodeIsNotGiven() async throws {
      let source = NodeHarness(SignalSource(.ramp, frames: 2_000, channels: 1))
      try source.run()
      let blocks: [CollectedSample] = try source.samples().reversed()
      let harness = ElementHarness(AudioConvert(), catalog: .builtIn)
      await #expect(throws: NodeError.self) { _ = try await harness.run(blocks) }
    }
  }
}

/// What the nodes below have been called for.
private final class Calls: Sendable {
  let count = Atomic<Int>(0)
  let finishes = Atomic<Int>(0)
  /// The hundredth sample has come.
  let hundredth = AsyncStream.makeStream(of: Void.self)
}

/// Sends blocks of silence: as many as it is asked for, some of them in a call.
private struct OwnSource: SourceNode {
  var calls = Calls()
  var blocks = Int.max
  var blocksInACall = 1
  var start = MediaTime.zero
  var output = 0
  /// The rate after ten blocks.
  var laterRate = 48_000
  private var sent = 0
  private var rate = 48_000
  private var format: FormatDescription?

  init() {}
  init(_ calls: Calls) { self.calls = calls }

  static let declaration = NodeDeclaration<OwnSource>(
    "ownSource", role: .source, help: "Silence.", example: "ownSource -> nullSink", parameters: [])
  static let ports = SourcePorts<Audio>(.audio([.f32], layouts: [.interleaved]), help: "Silence.")

  mutating func start(to outputs: NodeOutputs) throws { try announce(48_000, to: outputs) }

  private mutating func announce(_ rate: Int, to outputs: NodeOutputs) throws {
    let format = try FormatDescription(.audio(AudioFormat(.f32, sampleRate: rate, channels: 1)))
    (self.format, self.rate) = (format, rate)
    try outputs.announce(format, on: 0)
  }

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    for _ in 0..<blocksInACall {
      if sent == 10, laterRate != 48_000 { try announce(laterRate, to: outputs) }
      guard sent < blocks, let format else { return false }
      var block = SampleBuffer(bytes: [UInt8](repeating: 0, count: 4 * rate / 100), format: format)
      block.presentationTime = start + MediaTime(value: Int64(sent), timescale: 100)
      block.duration = MediaTime(value: 1, timescale: 100)
      sent += 1
      try outputs.send(block, on: output)
    }
    return true
  }
}

/// Has enough as soon as it hears of the format.
private struct Unwilling: SwiftNode {
  static let declaration = NodeDeclaration<Unwilling>(
    "unwilling", role: .effect, help: "Takes nothing.",
    example: "testAudio -> unwilling -> nullSink", parameters: [])
  static let ports = EffectPorts<Audio>()

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws { throw FlowStopped.enough }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws { try outputs.send(sample) }
}

/// Sends frames of 64x48 pixels that have 100 bytes.
private struct ShortFrames: SourceNode {
  static let declaration = NodeDeclaration<ShortFrames>(
    "shortFrames", role: .source, help: "Frames.", example: "shortFrames -> nullSink",
    parameters: [])
  static let ports = SourcePorts<Video>(.video([.i420]), help: "Frames.")

  func start(to outputs: NodeOutputs) throws {
    try outputs.announce(FormatDescription(.video(Self.format)), on: 0)
  }

  private static let format = VideoFormat(.i420, width: 64, height: 48)

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    let format = try FormatDescription(.video(Self.format))
    var frame = SampleBuffer(bytes: [UInt8](repeating: 0, count: 100), format: format)
    frame.presentationTime = .zero
    try outputs.send(frame)
    return false
  }
}

/// Keeps what comes, and sends it on at the end, once the run's threads are being stopped.
private struct SlowEnd: SwiftNode {
  private var held: [CollectedSample] = []

  init() {}

  static let declaration = NodeDeclaration<SlowEnd>(
    "slowEnd", role: .effect, help: "Keeps all.", example: "testAudio -> slowEnd -> nullSink",
    parameters: [])
  static let ports = EffectPorts<Audio>(.audio([.f32]))

  mutating func process(_ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs) {
    held.append(CollectedSample(sample))
  }

  mutating func finish(to outputs: NodeOutputs) throws {
    let latest = ContinuousClock.now + .seconds(20)
    while !outputs.isStopped, .now < latest { sched_yield() }
    for block in held { try outputs.send(block.sample.share()) }
  }
}

private struct OwnSink: SwiftNode {
  var calls = Calls()

  init() {}
  init(_ calls: Calls) { self.calls = calls }

  static let declaration = NodeDeclaration<OwnSink>(
    "ownSink", role: .sink, help: "Counts.", example: "testAudio -> ownSink", parameters: [])
  static let ports = SinkPorts<Audio>(help: "What is counted.")

  mutating func process(_ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs) {
    _ = consume sample
    if calls.count.add(1, ordering: .relaxed).newValue == 100 {
      calls.hundredth.continuation.yield()
    }
  }

  mutating func finish(to outputs: NodeOutputs) { calls.finishes.add(1, ordering: .relaxed) }
}
