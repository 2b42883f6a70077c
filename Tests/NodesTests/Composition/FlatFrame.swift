import Foundation
import GraphKit
import GraphTesting
import Testing

@testable import Nodes

/// A frame whose planes are each of one value a channel, to lay something over.
struct FlatFrame {
  let format: VideoFormat
  /// The values of each plane's channels.
  let values: [[UInt8]]

  init(
    _ pixelFormat: PixelFormat, _ width: Int, _ height: Int, colorimetry: String = "bt709"
  ) {
    format = VideoFormat(pixelFormat, width: width, height: height, colorimetry: colorimetry)
    switch pixelFormat {
    case .i420: values = [[50], [140], [90]]
    case .nv12: values = [[50], [140, 90]]
    default: values = [[10, 20, 30, 255]]
    }
  }

  /// The frame as a sample, presented at some seconds.
  func sample(at seconds: Double = 0) throws -> SampleBuffer {
    var bytes = [UInt8](repeating: 0xEE, count: format.frameSize)
    for (index, plane) in format.planes.enumerated() {
      for row in 0..<plane.height {
        for byte in 0..<plane.width * plane.bytesPerPixel {
          bytes[plane.offset + row * plane.bytesPerRow + byte] =
            values[index][byte % values[index].count]
        }
      }
    }
    var sample = SampleBuffer(bytes: bytes, format: try FormatDescription(.video(format)))
    sample.presentationTime = MediaTime(nanoseconds: Int64((seconds * 1e9).rounded()))
    return sample
  }
}

/// What a node makes of a flat frame.
func result<N: VideoEffect>(
  of node: N, on frame: FlatFrame, at seconds: Double = 0
) throws -> CollectedSample {
  let harness = NodeHarness(node)
  try harness.push(frame.sample(at: seconds))
  return try #require(try harness.samples().first)
}

/// The bytes of a pixel of 4 bytes in a frame.
func pixel(_ x: Int, _ y: Int, of sample: CollectedSample) -> [UInt8] {
  guard case .video(let format) = sample.format else { return [] }
  let start = y * format.plane(0).bytesPerRow + x * 4
  return Array(sample.bytes[start..<start + 4])
}

/// A value for each pixel, the same in each run.
func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var random = SplitMix64(seed: seed, number: 0)
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 32) }
}

extension TestFolder {
  /// A picture file that ffmpeg makes of pixels: red, green, blue, alpha. All frames have one size.
  func picture(
    _ name: String, _ width: Int, _ height: Int, _ frames: [[UInt8]], options: [String] = []
  ) throws -> String {
    let raw = try write(frames.flatMap { $0 }, to: name + ".raw")
    try tool(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-video_size",
        "\(width)x\(height)", "-framerate", "10", "-i", raw,
      ] + options + [path(name)])
    return path(name)
  }

  /// A PNG of one colour.
  func png(_ width: Int, _ height: Int, _ pixel: [UInt8]) throws -> String {
    let pixels = Array(repeatElement(pixel, count: width * height).joined())
    return try picture("\(width)x\(height).png", width, height, [pixels])
  }
}
