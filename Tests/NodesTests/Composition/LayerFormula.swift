import GraphKit

@testable import Nodes

/// What a picture over a frame must give, in floating point: written anew, pixel by pixel.
struct LayerFormula {
  private let picture: Picture
  private let corner: Corner
  private let opacity: Double
  private let format: VideoFormat
  private let transform: ColorTransform

  init(_ picture: Picture, _ corner: Corner, _ opacity: Double, _ frame: FlatFrame) {
    (self.picture, self.corner, self.opacity) = (picture, corner, opacity)
    format = frame.format
    transform = ColorEncoding(frame.format).fromRGB
  }

  /// A frame's bytes with the picture over them.
  func bytes(over before: [UInt8]) -> [Double] {
    var result = before.map(Double.init)
    for (index, plane) in format.planes.enumerated() {
      let channels = channels(ofPlane: index)
      let step = plane.height == format.height && index == 0 ? 1 : 2
      // Around the picture; elsewhere nothing may change.
      let rows = Self.near(corner.y, picture.height, step, plane.height)
      let columns = Self.near(corner.x, picture.width, step, plane.width)
      for y in rows {
        for x in columns {
          let (color, alpha) = mean(x * step..<(x + 1) * step, y * step..<(y + 1) * step)
          for (place, channel) in channels.enumerated() {
            let byte = plane.offset + y * plane.bytesPerRow + x * channels.count + place
            let value = channel == 3 ? 255 : color[channel]
            result[byte] = value * alpha + Double(before[byte]) * (1 - alpha)
          }
        }
      }
    }
    return result
  }

  private static func near(_ start: Int, _ length: Int, _ step: Int, _ end: Int) -> Range<Int> {
    (start / step - 2..<(start + length) / step + 3).clamped(to: 0..<end)
  }

  private func channels(ofPlane plane: Int) -> [Int] {
    switch format.pixelFormat {
    case .i420: [plane]
    case .nv12: plane == 0 ? [0] : [1, 2]
    case .bgra: [2, 1, 0, 3]
    default: [0, 1, 2, 3]
    }
  }

  /// The colour and alpha of some of the frame's pixels, of those that are in the frame.
  private func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> (SIMD3<Double>, Double) {
    var (color, alpha, count) = (SIMD3<Double>.zero, 0.0, 0.0)
    for y in rows where y < format.height {
      for x in columns where x < format.width {
        count += 1
        let (column, row) = (x - corner.x, y - corner.y)
        guard (0..<picture.width).contains(column), (0..<picture.height).contains(row) else {
          continue
        }
        let pixel = picture.pixels[
          (row * picture.width + column) * 4..<(row * picture.width + column) * 4 + 4
        ]
        .map(Double.init)
        let weight = pixel[3] / 255 * opacity
        color += transform(SIMD3(pixel[0], pixel[1], pixel[2])) * weight
        alpha += weight
      }
    }
    return alpha > 0 ? (color / alpha, alpha / count) : (.zero, 0)
  }
}
