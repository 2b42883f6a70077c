import GStreamer
import GraphTesting
import TestTools
import Testing

@testable import GraphKit

@Suite("Sample buffers", .inTurn)
struct SampleBufferTests {
  private func format(_ channels: Int = 1) throws -> FormatDescription {
    try FormatDescription(.audio(AudioFormat(.s16, sampleRate: 48_000, channels: channels)))
  }

  private func address(_ sample: borrowing SampleBuffer) -> UInt? {
    BufferMap(sample.buffer)?.address
  }

  private func bytes(_ sample: borrowing SampleBuffer) -> [UInt8] {
    sample.withBytes { span in span.indices.map { span[$0] } }
  }

  @Test("sharing copies nothing")
  func share() throws {
    let sample = SampleBuffer(bytes: [1, 2, 3, 4], format: try format())
    let other = sample.share()
    #expect(address(sample) == address(other))
    #expect(address(sample) != nil)
  }

  @Test("whoever writes to what is shared gets a copy of its own")
  func copyOnWrite() throws {
    let sample = SampleBuffer(bytes: [1, 2, 3, 4], format: try format())
    var other = sample.share()
    other.withMutableBytes { span in span[0] = 9 }
    #expect(bytes(sample) == [1, 2, 3, 4])
    #expect(bytes(other) == [9, 2, 3, 4])
    #expect(address(sample) != address(other))
  }

  @Test("whoever is alone writes in place")
  func inPlace() throws {
    var sample = SampleBuffer(bytes: [1, 2, 3, 4], format: try format())
    let before = address(sample)
    sample.withMutableBytes { span in span[0] = 9 }
    do { _ = sample.share() }
    sample.withMutableBytes { span in span[1] = 8 }
    #expect(address(sample) == before)
    #expect(bytes(sample) == [9, 8, 3, 4])
  }

  @Test("a time that is set on one reference stays off the others, and copies no memory")
  func times() throws {
    let sample = SampleBuffer(bytes: [1, 2], format: try format())
    var other = sample.share()
    other.presentationTime = MediaTime(value: 1, timescale: 2)
    other.duration = MediaTime(value: 1, timescale: 4)
    other.isSync = false
    other.isDiscontinuity = true
    #expect(sample.presentationTime == .invalid)
    #expect(sample.isSync && !sample.isDiscontinuity)
    #expect(other.presentationTime == MediaTime(value: 1, timescale: 2))
    #expect(other.duration == MediaTime(value: 1, timescale: 4))
    #expect(other.decodeTime == .invalid)
    #expect(!other.isSync && other.isDiscontinuity)
    #expect(address(sample) == address(other))
  }

  @Test("a time can be taken away again")
  func noTime() throws {
    var sample = SampleBuffer(bytes: [1, 2], format: try format())
    sample.presentationTime = MediaTime(value: 1, timescale: 2)
    sample.presentationTime = .invalid
    #expect(sample.presentationTime == .invalid)
  }

  @Test(
    "trimming keeps within the sample, without a copy",
    arguments: [
      (1, 2, [2, 3]), (0, 9, [1, 2, 3, 4]), (9, 9, []), (-3, 2, [1, 2]), (2, -1, []),
    ] as [(Int, Int, [UInt8])])
  func trim(offset: Int, count: Int, expected: [UInt8]) throws {
    var sample = SampleBuffer(bytes: [1, 2, 3, 4], format: try format())
    sample.trim(offset: offset, byteCount: count)
    #expect(bytes(sample) == expected)
    #expect(sample.byteCount == expected.count)
  }

  @Test("an empty sample gives empty views")
  func empty() throws {
    var sample = SampleBuffer(bytes: [], format: try format())
    #expect(sample.byteCount == 0 && sample.frameCount == 0)
    let isEmpty = sample.withMutableBytes { span in span.isEmpty }
    #expect(isEmpty)
    #expect(bytes(sample).isEmpty)
    #expect(sample.withSamples(as: Int16.self) { $0.count } == 0)
  }
}
