import GraphTesting
import TestTools
import Testing

@testable import GraphKit

@Suite("Video frames", .inTurn)
struct VideoFrameTests {
  @Test(
    "planes have the rows and strides of their format, at odd sizes too",
    arguments: [
      (PixelFormat.i420, 5, 3, [8, 4, 4], [24, 8, 8]),
      (.nv12, 5, 3, [8, 8], [24, 16]),
      (.bgra, 5, 3, [20], [60]),
      (.gray8, 5, 3, [8], [24]),
      (.yuy2, 5, 3, [12], [36]),
      (.i420, 64, 48, [64, 32, 32], [3072, 768, 768]),
    ])
  func planes(
    pixelFormat: PixelFormat, width: Int, height: Int, strides: [Int], sizes: [Int]
  ) throws {
    let video = VideoFormat(pixelFormat, width: width, height: height)
    var sample = SampleBuffer(
      byteCount: video.frameSize, format: try FormatDescription(.video(video)))
    var frame = try sample.videoFrame()
    #expect(frame.planeCount == strides.count)
    for plane in 0..<frame.planeCount {
      #expect(frame.bytesPerRow(ofPlane: plane) == strides[plane])
      let size = frame.plane(plane).count
      #expect(size == sizes[plane])
    }
  }

  @Test(
    "planes don't overlap: what is written to one is read from it alone",
    arguments: [
      PixelFormat.i420, .nv12,
    ])
  func apart(pixelFormat: PixelFormat) throws {
    let video = VideoFormat(pixelFormat, width: 7, height: 5)
    var sample = SampleBuffer(
      byteCount: video.frameSize, format: try FormatDescription(.video(video)))
    do {
      var frame = try sample.videoFrame()
      for plane in 0..<frame.planeCount {
        var span = frame.plane(plane)
        for index in span.indices { span[index] = UInt8(plane + 1) }
      }
    }
    for plane in 0..<pixelFormat.planeCount {
      let values = sample.withPlane(plane) { span, _ in Set(span.indices.map { span[$0] }) }
      #expect(values == [UInt8(plane + 1)])
    }
  }

  @Test("a frame with too little memory gives what there is")
  func tooSmall() throws {
    let video = VideoFormat(.i420, width: 64, height: 48)
    var sample = SampleBuffer(byteCount: 100, format: try FormatDescription(.video(video)))
    var frame = try sample.videoFrame()
    let sizes = [frame.plane(0).count, frame.plane(1).count, frame.plane(2).count]
    #expect(sizes == [100, 0, 0])
  }

  @Test(
    "numbers are read as they were drawn",
    arguments: [
      PixelFormat.i420, .nv12, .gray8, .bgra, .rgba,
    ])
  func numbers(pixelFormat: PixelFormat) throws {
    for (number, width) in [(0, 16), (1, 64), (0xa5c3, 33), (65_535, 640)] {
      let video = VideoFormat(pixelFormat, width: width, height: 5)
      var sample = SampleBuffer(
        byteCount: video.frameSize, format: try FormatDescription(.video(video)))
      do {
        var frame = try sample.videoFrame()
        FrameNumber.draw(number, in: &frame)
      }
      #expect(FrameNumber.read(sample) == number)
    }
  }
}
