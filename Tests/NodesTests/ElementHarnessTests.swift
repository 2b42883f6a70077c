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

  /// GStreamer's converter does so to the first channel of planar audio alone.
  @Test(
    "noise hides what is rounded away in every channel", arguments: ChannelLayout.allCases,
    [48_000, 44_100])
  func dither(_ layout: ChannelLayout, _ rate: Int) async throws {
    let format = AudioFormat(.f32, sampleRate: 48_000, channels: 2, layout: layout)
    let block = SampleBuffer(
      pcm: [Float](repeating: 1e-9, count: 9_600), format: try FormatDescription(.audio(format)),
      start: 0)
    for sampleFormat in [SampleFormat.s16, .u8] {
      var node = AudioConvert()
      (node.sampleFormat, node.sampleRate) = (sampleFormat, rate)
      let harness = ElementHarness(node, catalog: .builtIn)
      let made = try await harness.run([CollectedSample(block.share())])
      let middle = sampleFormat == .u8 ? 128 : 0
      for channel in 0..<2 {
        let noisy = made.reduce(0) { sum, block in
          let values =
            sampleFormat == .u8
            ? block.values(as: UInt8.self).map(Int.init)
            : block.values(as: Int16.self).map(Int.init)
          guard case .audio(let audio) = block.format else { return sum }
          let count = values.count / 2
          return sum
            + values.indices.count {
              (audio.layout == .planar ? $0 / count : $0 % 2) == channel && values[$0] != middle
            }
        }
        #expect(noisy > 500 && noisy < 2_500, "\(sampleFormat) \(channel): \(noisy)")
      }
    }
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
