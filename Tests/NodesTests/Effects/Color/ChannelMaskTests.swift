import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("channelMask", .inTurn)
struct ChannelMaskTests {
  /// A picture of one colour, with padding-free rows of 4-byte pixels.
  private func picture(
    _ pixel: [UInt8], _ pixelFormat: PixelFormat, width: Int = 3, height: Int = 2
  ) throws -> SampleBuffer {
    let video = VideoFormat(pixelFormat, width: width, height: height)
    return SampleBuffer(
      bytes: Array(repeatElement(pixel, count: width * height).joined()),
      format: try FormatDescription(.video(video)))
  }

  private func mask(_ red: Bool, _ green: Bool, _ blue: Bool) -> ChannelMask {
    var mask = ChannelMask()
    (mask.red, mask.green, mask.blue) = (red, green, blue)
    return mask
  }

  @Test(
    "takes out what isn't to stay, and never alpha",
    arguments: [
      (PixelFormat.bgra, true, true, true, [1, 2, 3, 4]),
      (.bgra, false, true, true, [1, 2, 0, 4]),
      (.bgra, true, false, true, [1, 0, 3, 4]),
      (.bgra, true, true, false, [0, 2, 3, 4]),
      (.bgra, false, false, false, [0, 0, 0, 4]),
      (.rgba, false, true, true, [0, 2, 3, 4]),
      (.rgba, true, true, false, [1, 2, 0, 4]),
    ] as [(PixelFormat, Bool, Bool, Bool, [UInt8])])
  func table(
    pixelFormat: PixelFormat, red: Bool, green: Bool, blue: Bool, wanted: [UInt8]
  ) throws {
    let harness = NodeHarness(mask(red, green, blue))
    try harness.push(picture([1, 2, 3, 4], pixelFormat))
    #expect(try harness.samples().first?.bytes == Array(repeatElement(wanted, count: 6).joined()))
  }

  @Test("refuses pictures that it can't work on, and sound")
  func refusal() throws {
    let video = VideoFormat(.gray8, width: 4, height: 4)
    let frame = CollectedSample(
      SampleBuffer(byteCount: video.frameSize, format: try FormatDescription(.video(video))))
    let taken = ChannelMask().portDeclarations[0].format
    #expect(throws: HarnessError.refusedFormat(.video(video), port: "in", takes: taken)) {
      try NodeHarness(mask(false, true, true)).push([frame])
    }
    let sound = AudioFormat(.f32, sampleRate: 8000, channels: 1)
    #expect(throws: HarnessError.refusedFormat(.audio(sound), port: "in", takes: taken)) {
      try NodeHarness(ChannelMask()).push([1] as [Float], format: sound)
    }
  }

  @Test("changes while it runs")
  func live() throws {
    let harness = NodeHarness(ChannelMask())
    try harness.push(picture([9, 9, 9, 9], .bgra, width: 1, height: 1))
    #expect(harness.set("blue", to: .bool(false)))
    try harness.push(picture([9, 9, 9, 9], .bgra, width: 1, height: 1))
    #expect(try harness.samples().map(\.bytes) == [[9, 9, 9, 9], [0, 9, 9, 9]])
  }
}
