import GraphTesting
import TestTools
import Testing

@testable import GraphKit

@Suite("PCM blocks", .inTurn)
struct AudioBlockTests {
  private func sample(
    _ values: [Int16], channels: Int, layout: ChannelLayout = .interleaved
  ) throws -> SampleBuffer {
    let format = AudioFormat(.s16, sampleRate: 48_000, channels: channels, layout: layout)
    return SampleBuffer(pcm: values, format: try FormatDescription(.audio(format)))
  }

  @Test("every sample can be read and written", arguments: [1, 2, 3])
  func samples(channels: Int) throws {
    let values = (0..<Int16(6 * channels)).map { $0 }
    var sample = try sample(values, channels: channels)
    #expect(sample.frameCount == 6)
    do {
      var block = try sample.audioBlock()
      #expect(block.frameCount == 6 && block.channelCount == channels)
      var span = block.samples(as: Int16.self)
      for index in span.indices { span[index] += 100 }
    }
    #expect(CollectedSample(sample).values(as: Int16.self) == values.map { $0 + 100 })
  }

  @Test("a channel of a planar block lies by itself")
  func planar() throws {
    var sample = try sample([1, 2, 3, 10, 20, 30], channels: 2, layout: .planar)
    var block = try sample.audioBlock()
    do {
      let left = block.channel(0, as: Int16.self)
      #expect(left.indices.map { left[$0] } == [1, 2, 3])
    }
    do {
      let right = block.channel(1, as: Int16.self)
      #expect(right.indices.map { right[$0] } == [10, 20, 30])
    }
  }

  @Test(
    "a channel that isn't there, or isn't planar, is empty",
    arguments: [(ChannelLayout.planar, 2), (.planar, -1), (.interleaved, 0)])
  func noChannel(layout: ChannelLayout, channel: Int) throws {
    var sample = try sample([1, 2, 3, 4], channels: 2, layout: layout)
    var block = try sample.audioBlock()
    let count = block.channel(channel, as: Int16.self).count
    #expect(count == 0)
  }

  @Test("bytes beyond the last whole frame are no frame")
  func oddSize() throws {
    let format = AudioFormat(.s16, sampleRate: 48_000, channels: 2)
    var sample = SampleBuffer(
      bytes: [1, 0, 2, 0, 3, 0, 4], format: try FormatDescription(.audio(format)))
    #expect(sample.frameCount == 1)
    var block = try sample.audioBlock()
    let span = block.samples(as: Int16.self)
    #expect(span.indices.map { span[$0] } == [1, 2])
  }

  @Test("a wider type than the samples have never reaches past the memory")
  func wrongType() throws {
    var sample = try sample([1, 2, 3], channels: 1)
    var block = try sample.audioBlock()
    let doubles = block.samples(as: Double.self).count
    let floats = block.samples(as: Float.self).count
    #expect(doubles == 0)
    #expect(floats == 1)
  }

  @Test("what isn't PCM isn't opened as PCM")
  func notAudio() throws {
    let format = try FormatDescription(.video(VideoFormat(.gray8, width: 4, height: 4)))
    var sample = SampleBuffer(byteCount: 16, format: format)
    do {
      let frames = try sample.audioBlock().frameCount
      Issue.record("opened as \(frames) frames")
    } catch {
      #expect(error.message.hasSuffix("is not raw audio"))
    }
  }
}
