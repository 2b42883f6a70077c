import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("Nodes on the real engine", .inTurn)
struct ElementHarnessTests {
  @Test("a converter's element changes the format and keeps the sound")
  func convert() async throws {
    let source = NodeHarness(SignalSource(.ramp, frames: 5000, channels: 1))
    try source.run()
    var node = AudioConvert()
    node.sampleFormat = .s16
    let harness = ElementHarness(node, catalog: .builtIn)
    let blocks = try await harness.run(source.samples())
    let values = blocks.flatMap { $0.values(as: Int16.self) }
    #expect(values.count == 5000)
    #expect(blocks.first?.format == .audio(AudioFormat(.s16, sampleRate: 48_000, channels: 1)))
    let wanted = AudioSignal.ramp.values(0..<5000, sampleRate: 48_000).map { $0 * 32_768 }
    #expect(zip(values, wanted).allSatisfy { abs(Float($0) - $1) <= 2 })
  }

  @Test("a node in Swift gives the same on the engine as in the harness")
  func same() async throws {
    let source = NodeHarness(SignalSource(.noise, frames: 3000))
    try source.run()
    let harness = NodeHarness(Gain(decibels: -6))
    try harness.push(source.samples())
    try harness.finish()
    let engine = try await ElementHarness(Gain(decibels: -6), catalog: .builtIn)
      .run(source.samples())
    #expect(try engine.flatMap { $0.values(as: Float.self) } == harness.values(as: Float.self))
    #expect(try engine.map(\.presentationTime) == harness.samples().map(\.presentationTime))
  }

  @Test("counter frames are read again behind an encoder and its decoder")
  func encoded() async throws {
    var source = CounterFrames(frames: 50)
    (source.width, source.height) = (320, 240)
    let frames = NodeHarness(source)
    try frames.run()
    let packets = try await ElementHarness(H264Encoder(), catalog: .builtIn)
      .run(frames.samples())
    #expect(packets.count == 50)
    var decoder = Decoder()
    decoder.media = .video
    let decoded = try await ElementHarness(decoder, catalog: .builtIn).run(packets)
    #expect(decoded.map { FrameNumber.read($0.sample) } == (0..<50).map { $0 })
  }

  @Test("without a sample there is no format, which is said")
  func nothing() async {
    await #expect(throws: NodeError.self) {
      try await ElementHarness(Gain(), catalog: .builtIn).run([])
    }
  }
}
