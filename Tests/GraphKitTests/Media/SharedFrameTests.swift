import GStreamer
import GraphTesting
import TestTools
import Testing

@testable import GraphKit

@Suite("Frames that others hold too", .inTurn)
struct SharedFrameTests {
  private let video = VideoFormat(.i420, width: 33, height: 19)

  private func sample(padding: Int) throws -> SampleBuffer {
    var sample = try SampleBuffer(FormatDescription(.video(video)), video, padding: padding)
    sample.withMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 7) }
    }
    sample.presentationTime = MediaTime(value: 5, timescale: 10)
    sample.duration = MediaTime(value: 1, timescale: 10)
    sample.isDiscontinuity = true
    return sample
  }

  private func address(_ sample: borrowing SampleBuffer) -> UInt? {
    BufferMap(sample.buffer)?.address
  }

  private func planes(_ sample: borrowing SampleBuffer) -> [[UInt8]] {
    video.planes.enumerated().map { index, plane in
      sample.withPlane(index) { bytes, stride in
        (0..<plane.height).flatMap { row in
          (0..<plane.width).map { bytes[row * stride + $0] }
        }
      }
    }
  }

  @Test(
    "whoever opens one gets its pixels, times and notes in a frame of their own",
    arguments: [0, 13])
  func copy(padding: Int) throws {
    let original = try sample(padding: padding)
    let (bytes, pixels) = (original.withBytes { Array(copying: $0) }, planes(original))
    var other = original.share()
    do {
      var frame = try other.videoFrame()
      // Those are packed as their format says, however the source's rows lie.
      #expect(frame.bytesPerRow(ofPlane: 0) == video.planes[0].bytesPerRow)
      var luma = frame.plane(0)
      luma[0] = 200
    }
    var wanted = pixels
    wanted[0][0] = 200
    #expect(planes(other) == wanted)
    #expect(original.withBytes { Array(copying: $0) } == bytes)
    #expect(other.presentationTime == original.presentationTime && other.isDiscontinuity)
    #expect(other.duration == original.duration)
  }

  @Test("whoever is alone gets the frame itself", arguments: [0, 13])
  func inPlace(padding: Int) throws {
    var sample = try sample(padding: padding)
    let before = address(sample)
    do {
      let frame = try sample.videoFrame()
      #expect(frame.bytesPerRow(ofPlane: 0) == video.planes[0].bytesPerRow + padding)
    }
    #expect(address(sample) == before && before != nil)
  }

  @Test("copies use the same memory again")
  func pool() throws {
    let original = try sample(padding: 13)
    var places: Set<UInt> = []
    for _ in 0..<4 {
      var other = original.share()
      do { _ = try other.videoFrame() }
      places.insert(address(other) ?? 0)
    }
    #expect(places.count == 1)
  }

  @Test("one with too little memory is copied as it is")
  func tooSmall() throws {
    let short = SampleBuffer(
      bytes: [UInt8](repeating: 3, count: 40), format: try FormatDescription(.video(video)))
    var other = short.share()
    let count = try other.videoFrame().planeCount
    #expect(count == 3 && other.byteCount == 40)
  }
}

extension Array where Element == UInt8 {
  fileprivate init(copying span: Span<UInt8>) { self = span.indices.map { span[$0] } }
}
