import Foundation
import GraphKit
import TestTools

/// Frames as ffmpeg decodes them: red, green and blue of each pixel.
struct DecodedFrames {
  var frames: [[UInt8]]

  /// The frames of a file, or of a row of pictures (`%05d`), made as large as is said.
  init(of path: String, _ width: Int, _ height: Int, options: [String] = []) throws {
    let data = try tool(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + options
        + [
          "-i", path, "-fps_mode", "passthrough", "-vf", "scale=\(width):\(height):flags=area",
          "-pix_fmt", "rgb24", "-f", "rawvideo", "-",
        ])
    let (bytes, size) = (Array(data), width * height * 3)
    frames = stride(from: 0, to: bytes.count - size + 1, by: size).map {
      Array(bytes[$0..<$0 + size])
    }
  }

  /// The number of the frame that is most like another, and how like it is: the peak signal-to-noise
  /// ratio in decibels.
  func nearest(to frame: [UInt8]) -> (number: Int, psnr: Double) {
    let ratios = frames.map { psnr($0, frame) }
    let best = ratios.indices.max { ratios[$0] < ratios[$1] } ?? -1
    return (best, best >= 0 ? ratios[best] : 0)
  }
}

/// The peak signal-to-noise ratio of two frames of the same size.
func psnr(_ one: [UInt8], _ other: [UInt8]) -> Double {
  guard one.count == other.count, !one.isEmpty else { return 0 }
  var sum = 0
  for index in one.indices {
    let difference = Int(one[index]) - Int(other[index])
    sum += difference * difference
  }
  return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(one.count) / Double(sum))
}

/// The width and height of a picture or a video, as ffprobe reads it, and its codec.
func pictureSize(_ path: String) throws -> String {
  let words = ["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0"]
  return String(decoding: try tool("ffprobe", words + [path]), as: UTF8.self)
    .trimmingCharacters(in: .whitespacesAndNewlines)
}

/// A part of a frame of red, green and blue.
func part(of frame: [UInt8], width: Int, x: Int, y: Int, _ size: (Int, Int)) -> [UInt8] {
  var result: [UInt8] = []
  for row in y..<y + size.1 {
    let start = (row * width + x) * 3
    result += frame[start..<start + size.0 * 3]
  }
  return result
}

/// The report of a graph's run, also of one that fails.
func reportOf(_ json: String) async throws -> Report {
  do { return try await pipeline(json).run() } catch let error as RunError { return error.report }
}
