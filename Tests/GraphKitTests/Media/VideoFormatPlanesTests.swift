import TestTools
import Testing

@testable import GraphKit

/// What `gst_video_info_set_format` of GStreamer 1.22 answers.
private struct Layout: CustomTestStringConvertible {
  var format: PixelFormat
  var width: Int
  var height: Int
  var size: Int
  var strides: [Int]
  var offsets: [Int]

  init(
    _ format: PixelFormat, _ width: Int, _ height: Int, size: Int, _ planes: (Int, Int)...
  ) {
    (self.format, self.width, self.height, self.size) = (format, width, height, size)
    (strides, offsets) = (planes.map(\.0), planes.map(\.1))
  }

  var testDescription: String { "\(format) \(width)x\(height)" }
}

@Suite(.inTurn) struct VideoFormatPlanesTests {
  @Test(arguments: [
    Layout(.i420, 1, 1, size: 16, (4, 0), (4, 8), (4, 12)),
    Layout(.i420, 3, 3, size: 32, (4, 0), (4, 16), (4, 24)),
    Layout(.i420, 5, 7, size: 96, (8, 0), (4, 64), (4, 80)),
    Layout(.i420, 33, 31, size: 1792, (36, 0), (20, 1152), (20, 1472)),
    Layout(.i420, 641, 361, size: 350416, (644, 0), (324, 233128), (324, 291772)),
    Layout(.i420, 1280, 720, size: 1382400, (1280, 0), (640, 921600), (640, 1152000)),
    Layout(.i420, 1919, 1079, size: 3110400, (1920, 0), (960, 2073600), (960, 2592000)),
    Layout(.nv12, 1, 1, size: 12, (4, 0), (4, 8)),
    Layout(.nv12, 3, 3, size: 24, (4, 0), (4, 16)),
    Layout(.nv12, 5, 7, size: 96, (8, 0), (8, 64)),
    Layout(.nv12, 33, 31, size: 1728, (36, 0), (36, 1152)),
    Layout(.nv12, 641, 361, size: 349692, (644, 0), (644, 233128)),
    Layout(.nv12, 1280, 720, size: 1382400, (1280, 0), (1280, 921600)),
    Layout(.nv12, 1919, 1079, size: 3110400, (1920, 0), (1920, 2073600)),
    Layout(.bgra, 1, 1, size: 4, (4, 0)),
    Layout(.bgra, 3, 3, size: 36, (12, 0)),
    Layout(.bgra, 5, 7, size: 140, (20, 0)),
    Layout(.bgra, 33, 31, size: 4092, (132, 0)),
    Layout(.bgra, 641, 361, size: 925604, (2564, 0)),
    Layout(.bgra, 1280, 720, size: 3686400, (5120, 0)),
    Layout(.bgra, 1919, 1079, size: 8282404, (7676, 0)),
    Layout(.rgba, 1, 1, size: 4, (4, 0)),
    Layout(.rgba, 3, 3, size: 36, (12, 0)),
    Layout(.rgba, 5, 7, size: 140, (20, 0)),
    Layout(.rgba, 33, 31, size: 4092, (132, 0)),
    Layout(.rgba, 641, 361, size: 925604, (2564, 0)),
    Layout(.rgba, 1280, 720, size: 3686400, (5120, 0)),
    Layout(.rgba, 1919, 1079, size: 8282404, (7676, 0)),
    Layout(.yuy2, 1, 1, size: 4, (4, 0)),
    Layout(.yuy2, 3, 3, size: 24, (8, 0)),
    Layout(.yuy2, 5, 7, size: 84, (12, 0)),
    Layout(.yuy2, 33, 31, size: 2108, (68, 0)),
    Layout(.yuy2, 641, 361, size: 463524, (1284, 0)),
    Layout(.yuy2, 1280, 720, size: 1843200, (2560, 0)),
    Layout(.yuy2, 1919, 1079, size: 4143360, (3840, 0)),
    Layout(.gray8, 1, 1, size: 4, (4, 0)),
    Layout(.gray8, 3, 3, size: 12, (4, 0)),
    Layout(.gray8, 5, 7, size: 56, (8, 0)),
    Layout(.gray8, 33, 31, size: 1116, (36, 0)),
    Layout(.gray8, 641, 361, size: 232484, (644, 0)),
    Layout(.gray8, 1280, 720, size: 921600, (1280, 0)),
    Layout(.gray8, 1919, 1079, size: 2071680, (1920, 0)),
  ])
  private func liesAsGStreamerLaysIt(layout: Layout) {
    let video = VideoFormat(layout.format, width: layout.width, height: layout.height)
    #expect(video.frameSize == layout.size)
    #expect(video.planes.map(\.bytesPerRow) == layout.strides)
    #expect(video.planes.map(\.offset) == layout.offsets)
  }

  @Test func countsPixelsOfEachPlane() {
    let i420 = VideoFormat(.i420, width: 5, height: 7).planes
    #expect(i420.map(\.width) == [5, 3, 3] && i420.map(\.height) == [7, 4, 4])
    let nv12 = VideoFormat(.nv12, width: 5, height: 7).planes
    #expect(nv12.map(\.width) == [5, 3] && nv12.map(\.bytesPerPixel) == [1, 2])
    let bgra = VideoFormat(.bgra, width: 5, height: 7).planes
    #expect(bgra.map(\.width) == [5] && bgra.map(\.bytesPerPixel) == [4])
  }

  @Test(arguments: PixelFormat.allCases)
  func rowsFitAndPlanesDoNotOverlap(format: PixelFormat) {
    for width in 1...40 {
      for height in 1...12 {
        let video = VideoFormat(format, width: width, height: height)
        let ends = video.planes.map { $0.offset + $0.bytesPerRow * $0.height }
        for plane in video.planes {
          #expect(plane.width * plane.bytesPerPixel <= plane.bytesPerRow)
        }
        for (end, next) in zip(ends, video.planes.dropFirst()) { #expect(end <= next.offset) }
        #expect(ends.last == video.frameSize)
      }
    }
  }

  @Test(arguments: PixelFormat.allCases)
  func survivesAbsurdSizes(format: PixelFormat) {
    #expect(VideoFormat(format, width: .max, height: .max).frameSize > 0)
    #expect(VideoFormat(format, width: -5, height: 0).frameSize == 0)
  }
}
