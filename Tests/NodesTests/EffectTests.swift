import GraphKit
import Nodes
import Testing

@Suite struct EffectTests {
  private static func audio(_ format: SampleFormat, _ layout: ChannelLayout = .interleaved)
    -> MediaFormat
  {
    .audio(AudioFormat(format, sampleRate: 48_000, channels: 2, layout: layout))
  }

  @Test(arguments: ChannelLayout.allCases)
  func gainScalesFloats(_ layout: ChannelLayout) throws {
    let input: [Float] = [0, 1, -1, 0.5, 0.25, -0.125]
    let output = try run(
      Gain(decibels: -20), Self.audio(.f32, layout), [bytes(input)])
    for (a, b) in zip(floats(output[0]), input) { #expect(abs(a - b * 0.1) < 1e-7) }
  }

  @Test func gainSaturatesIntegers() throws {
    let input: [Int16] = [0, 100, -100, 20_000, -20_000, 32_767, -32_768, 3]
    let output = try run(
      Gain(decibels: 20 * 0.301_029_995_663_98), Self.audio(.s16), [bytes(input)])
    #expect(integers(output[0]) == [0, 200, -200, 32_767, -32_768, 32_767, -32_768, 6])
  }

  @Test func gainOfZeroChangesNoBit() throws {
    let input = bytes([Float.nan, .infinity, -0.0, .leastNonzeroMagnitude])
    #expect(try run(Gain(), Self.audio(.f32), [input]) == [input])
  }

  @Test(arguments: [SampleFormat.f32, .s16])
  func gainDoesNotCareForBlocks(_ format: SampleFormat) throws {
    let frame = format.bytesPerSample * 2
    let whole = (0..<frame * 97).map { UInt8(truncatingIfNeeded: $0 &* 73 / 5 & 0x3f) }
    let expected = try run(Gain(decibels: 3), Self.audio(format), [whole])
    for size in [1, 3, 64] {
      let pieces = stride(from: 0, to: whole.count, by: frame * size).map {
        Array(whole[$0..<min(whole.count, $0 + frame * size)])
      }
      #expect(try run(Gain(decibels: 3), Self.audio(format), pieces).flatMap { $0 } == expected[0])
    }
  }

  @Test func gainIsSetByItsParameter() throws {
    let type = NodeType(Gain.self)
    var node = type.make()
    #expect(type.set("decibels", to: .number(6.020_599_913_279_624), of: &node))
    #expect(!type.set("decibels", to: .number(1_000), of: &node))
    let gain = try #require(node as? Gain)
    #expect(floats(try run(gain, Self.audio(.f32), [bytes([Float(0.25), 0])])[0])[0] == 0.5)
  }

  @Test func gainRefusesOtherFormats() {
    #expect(throws: NodeError.self) { try run(Gain(), Self.audio(.s32), []) }
  }

  @Test(arguments: [
    (PixelFormat.bgra, [UInt8](arrayLiteral: 1, 2, 0, 4)), (.rgba, [0, 2, 3, 4]),
  ])
  func maskTakesRedAway(_ pixelFormat: PixelFormat, _ expected: [UInt8]) throws {
    var mask = ChannelMask()
    mask.red = false
    let format = MediaFormat.video(VideoFormat(pixelFormat, width: 3, height: 2))
    let frame = (0..<6).flatMap { _ in [1, 2, 3, 4] as [UInt8] }
    #expect(try run(mask, format, [frame])[0] == (0..<6).flatMap { _ in expected })
  }

  @Test func maskTakesAllButAlpha() throws {
    var mask = ChannelMask()
    (mask.red, mask.green, mask.blue) = (false, false, false)
    let format = MediaFormat.video(VideoFormat(.bgra, width: 1, height: 1))
    #expect(try run(mask, format, [[9, 8, 7, 6]]) == [[0, 0, 0, 6]])
  }

  @Test func fullMaskChangesNothing() throws {
    let format = MediaFormat.video(VideoFormat(.bgra, width: 1, height: 1))
    #expect(try run(ChannelMask(), format, [[9, 8, 7, 6]]) == [[9, 8, 7, 6]])
  }

  @Test func maskRefusesOtherFormats() {
    let format = MediaFormat.video(VideoFormat(.i420, width: 2, height: 2))
    #expect(throws: NodeError.self) { try run(ChannelMask(), format, []) }
  }

  @Test func passHandsOnAndNullSinkDoesNot() throws {
    let samples: [[UInt8]] = [[1, 2, 3, 4], [], [5, 6]]
    #expect(try run(Pass(), Self.audio(.s16), samples) == samples)
    #expect(try run(NullSink(), Self.audio(.s16), samples).isEmpty)
  }
}
