import GraphTesting
import TestTools
import Testing

@testable import GraphKit

@Suite("Synthetic signals", .inTurn)
struct SignalTests {
  @Test("are what their names say")
  func values() {
    #expect(AudioSignal.silence.values(0..<3, sampleRate: 8) == [0, 0, 0])
    #expect(AudioSignal.impulse(frame: 2).values(0..<4, sampleRate: 8) == [0, 0, 1, 0])
    #expect(
      AudioSignal.ramp.values16(0..<3, sampleRate: 8, channels: 2)
        == [-32767, -32767, -32766, -32766, -32765, -32765])
    let tone = AudioSignal.tone(hertz: 2).values(0..<4, sampleRate: 8)
    #expect(zip(tone, [0, 0.5, 0, -0.5]).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("noise is the same for the same seed, spread over the scale, and centred")
  func noise() {
    let noise = AudioSignal.noise(seed: 7).values(0..<10_000, sampleRate: 8)
    #expect(noise == AudioSignal.noise(seed: 7).values(0..<10_000, sampleRate: 8))
    #expect(noise != AudioSignal.noise(seed: 8).values(0..<10_000, sampleRate: 8))
    #expect(noise.allSatisfy { $0 >= -1 && $0 < 1 })
    #expect(abs(noise.reduce(0, +) / 10_000) < 0.02)
    #expect(noise.contains { $0 > 0.99 } && noise.contains { $0 < -0.99 })
  }

  @Test("a source's blocks join without a seam, the last one short")
  func source() throws {
    var source = SignalSource(.ramp, frames: 2400)
    source.blockFrames = 960
    let harness = NodeHarness(source)
    #expect(try harness.run())
    let blocks = try harness.samples()
    #expect(blocks.map { $0.sample.frameCount } == [960, 960, 480])
    #expect(blocks[2].presentationTime == MediaTime(value: 40, timescale: 1000))
    #expect(
      try harness.values(as: Float.self)
        == AudioSignal.ramp.values(0..<2400, sampleRate: 48_000, channels: 2))
    #expect(harness.hasEnded)
  }

  @Test("a source stops where nobody asks for more, and can't be taken for ended")
  func withheld() throws {
    let harness = NodeHarness(CounterFrames(frames: 5))
    harness.demand = 2
    #expect(throws: HarnessError.noDemand(output: "out")) { try harness.run() }
    #expect(try harness.samples().count == 2)
    #expect(!harness.hasEnded)
    harness.demand = nil
    try harness.run(rounds: 1)
    #expect(try harness.samples().count == 3)
  }

  @Test(
    "counter frames carry their number and their time",
    arguments: [
      PixelFormat.i420, .nv12, .bgra, .gray8,
    ])
  func counters(pixelFormat: PixelFormat) throws {
    var source = CounterFrames(frames: 40, pixelFormat: pixelFormat)
    source.frameRate = Rational(30_000, over: 1001)!
    let harness = NodeHarness(source)
    try harness.run()
    let frames = try harness.samples()
    #expect(frames.map { FrameNumber.read($0.sample) } == (0..<40).map { $0 })
    #expect(frames[30].presentationTime == MediaTime(nanoseconds: 1_001_000_000))
    let ends = zip(frames, frames.dropFirst()).map {
      $0.presentationTime + $0.duration == $1.presentationTime
    }
    #expect(!ends.contains(false))
  }

  @Test("what carries no number is read as none")
  func noNumber() throws {
    let audio = try FormatDescription(.audio(AudioFormat(.s16, sampleRate: 8000, channels: 1)))
    #expect(FrameNumber.read(SampleBuffer(bytes: [1, 2], format: audio)) == nil)
    let narrow = try FormatDescription(.video(VideoFormat(.gray8, width: 8, height: 8)))
    #expect(FrameNumber.read(SampleBuffer(byteCount: 64, format: narrow)) == nil)
    let short = try FormatDescription(.video(VideoFormat(.gray8, width: 64, height: 64)))
    #expect(FrameNumber.read(SampleBuffer(byteCount: 64, format: short)) == nil)
  }
}
