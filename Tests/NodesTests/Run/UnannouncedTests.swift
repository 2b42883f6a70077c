import Foundation
import GraphKit
import Nodes
import Synchronization
import TestTools
import Testing

extension RunTests {
  /// What a node sends without having said so, or other than it has declared.
  @Suite struct UnannouncedTests {
    private func chain(_ source: some Node, _ effect: some Node, _ sink: some Node) throws
      -> Pipeline
    {
      var graph = GraphBuilder(catalog: .builtIn)
      let own = graph.add("own", source)
      let (between, end) = (graph.add("effect", effect), graph.add("end", sink))
      graph.connect(own.port("out", as: AnyMedia.self), to: between.port("in", as: AnyMedia.self))
      graph.connect(between.port("out", as: AnyMedia.self), to: end.port("in", as: AnyMedia.self))
      return try Pipeline(
        Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment())
    }

    @Test func theNextNodeIsPreparedForItAllTheSame() async throws {
      let folder = try TestFolder()
      let (announced, sent) = (folder.path("announced.wav"), folder.path("sent.wav"))
      for (path, announces) in [(announced, true), (sent, false)] {
        let limiter = Limiter.with { $0.ceiling = -12 }
        let sink = WAVSink.with { $0.path = path }
        _ = try await chain(Tone(announces: announces), limiter, sink).run()
      }
      let expected = try Data(contentsOf: URL(filePath: announced))
      #expect(try Data(contentsOf: URL(filePath: sent)) == expected && expected.count > 48_000 * 2)
    }

    /// A mixer has places for as many channels as it was prepared for.
    @Test func anotherNumberOfChannelsEndsNoProcess() async throws {
      var source = Tone(announces: false)
      source.laterChannels = 1
      let run = try chain(source, MixAudio(), NullSink())
      run.start()
      let report = await run.report()
      #expect(report.state == .completed || report.failure?.node != nil, "\(report)")
    }

    @Test func whatTheNextNodeDoesNotTakeIsAnError() async throws {
      var source = Tone(announces: true)
      source.sampleFormat = .s16
      let run = try chain(source, Half(), NullSink())
      let error = await #expect(throws: RunError.self) { try await run.run() }
      let failure = try #require(error?.report.failure)
      #expect(failure.node == "own" && failure.message.contains("which effect.in doesn't take"))
      #expect(failure.message.contains("the plan has raw audio f32"), "\(failure)")
      #expect(failure.remedy.contains("`leavesFormatToRun` in `traits`"))
    }

    @Test func aNodeThatCannotBePreparedIsNotAskedAgain() async throws {
      let half = Half()
      half.calls.isUnable.store(true, ordering: .relaxed)
      let run = try chain(TestAudio.with { $0.seconds = 1 }, half, NullSink())
      let error = await #expect(throws: RunError.self) { try await run.run() }
      #expect(error?.report.failure?.node == "effect")
      #expect(half.calls.prepared.load(ordering: .relaxed) == 1)
    }
  }
}

/// A second of a square wave.
private struct Tone: SourceNode {
  var announces = true
  var laterChannels = 2
  var sampleFormat = SampleFormat.f32
  private var sent = 0

  init() {}
  init(announces: Bool) { self.announces = announces }

  static let declaration = NodeDeclaration<Tone>(
    "tone", role: .source, help: "A tone.", example: "tone -> nullSink", parameters: [])
  static let ports = SourcePorts<Audio>(.audio([.f32], layouts: [.interleaved]), help: "A tone.")

  private func format(_ channels: Int) throws -> FormatDescription {
    try FormatDescription(.audio(AudioFormat(sampleFormat, sampleRate: 48_000, channels: channels)))
  }

  mutating func start(to outputs: NodeOutputs) throws {
    if announces { try outputs.announce(format(2), on: 0) }
  }

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard sent < 100 else { return false }
    let channels = sent < 50 ? 2 : laterChannels
    let bytes = [UInt8](repeating: 0x3f, count: sampleFormat.bytesPerSample * channels * 480)
    var block = SampleBuffer(bytes: bytes, format: try format(channels))
    block.presentationTime = MediaTime(value: Int64(sent), timescale: 100)
    block.duration = MediaTime(value: 1, timescale: 100)
    sent += 1
    try outputs.send(block)
    return true
  }
}

private final class PrepareCalls: Sendable {
  let prepared = Atomic(0)
  let isUnable = Atomic(false)
}

/// Half of it.
private struct Half: AudioEffect {
  let calls = PrepareCalls()

  static let declaration = NodeDeclaration<Half>(
    "half", role: .effect, help: "Half.", example: "tone -> half -> nullSink", parameters: [])
  static let ports = EffectPorts<Audio>(.audio([.f32], layouts: [.interleaved]))

  mutating func prepare(_ format: AudioFormat) throws {
    calls.prepared.add(1, ordering: .relaxed)
    if calls.isUnable.load(ordering: .relaxed) {
      throw NodeError("no model", remedy: "load it")
    }
  }

  mutating func process(_ block: inout AudioBlock) throws {}
}
