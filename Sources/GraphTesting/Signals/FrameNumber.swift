import GraphKit

/// Numbers drawn into frames, big enough to be read again after an encoder.
///
/// The frame is cut into sixteen upright bars of the same width, from left to right the bits of the
/// number from the highest: white for one, black for zero. Numbers wrap at 65,536.
public enum FrameNumber {
  static let bars = 16

  /// Draws a number all over a frame of `i420`, `nv12`, `gray8`, `bgra` or `rgba`.
  public static func draw(_ number: Int, in frame: inout VideoFrame) {
    let format = frame.format.pixelFormat
    let isPacked = format == .bgra || format == .rgba
    let bytesPerPixel = isPacked ? 4 : 1
    let (width, height, stride) = (frame.width, frame.height, frame.bytesPerRow(ofPlane: 0))
    var luma = frame.plane(0)
    for row in 0..<height {
      for column in 0..<width * bytesPerPixel {
        let isAlpha = isPacked && column & 3 == 3
        let level = level(number, column / bytesPerPixel, width, isPacked)
        luma[row * stride + column] = isAlpha ? 255 : level
      }
    }
    for plane in 1..<max(1, frame.planeCount) {
      var chroma = frame.plane(plane)
      for index in chroma.indices { chroma[index] = 128 }
    }
  }

  private static func level(_ number: Int, _ column: Int, _ width: Int, _ isFull: Bool) -> UInt8 {
    let bar = min(bars - 1, column * bars / max(1, width))
    let isOne = number >> (bars - 1 - bar) & 1 == 1
    return isFull ? (isOne ? 255 : 0) : (isOne ? 235 : 16)
  }

  /// Reads a frame's number; `nil` where it isn't raw video or too narrow to have one.
  public static func read(_ sample: borrowing SampleBuffer) -> Int? {
    guard case .video(let video) = sample.format.format, video.width >= bars, video.height > 0
    else { return nil }
    let bytesPerPixel = video.pixelFormat.usedBytesPerRow(ofPlane: 0, width: 2) / 2
    return sample.withPlane(0) { plane, stride in
      let start = video.height / 2 * stride
      guard plane.count >= start + video.width * bytesPerPixel else { return nil }
      return (0..<bars).reduce(0) { number, bar in
        let middle = (2 * bar + 1) * video.width / (2 * bars)
        return number << 1 | (plane[start + middle * bytesPerPixel] > 125 ? 1 : 0)
      }
    }
  }
}
