import GraphKit
import GraphKitSystem
import GraphTesting
import Synchronization

/// Pictures for tests of colour, the same each time.
struct ColorPicture {
  /// What the picture is made of.
  enum Kind: String, CaseIterable {
    /// Soft gradients with a little noise, of colours that can be shown.
    case natural
    /// Every byte by chance.
    case chance
  }

  var kind = Kind.natural
  var format: VideoFormat

  /// A frame. Alpha is 77 where there is any.
  func sample() throws -> SampleBuffer {
    var sample = SampleBuffer(bytes: bytes, format: try FormatDescription(.video(format)))
    sample.presentationTime = .zero
    return sample
  }

  /// What was made of a kind and a format: every effect is asked for the same pictures.
  private static let made = Mutex<[Kind: [VideoFormat: [UInt8]]]>([:])

  private var bytes: [UInt8] {
    if let bytes = Self.made.withLock({ $0[kind]?[format] }) { return bytes }
    let bytes = makeBytes()
    Self.made.withLock { $0[kind, default: [:]][format] = bytes }
    return bytes
  }

  private func makeBytes() -> [UInt8] {
    var numbers = SeededNumbers(state: 42)
    var bytes = [UInt8](repeating: 0, count: format.frameSize)
    for (index, plane) in format.planes.enumerated() {
      for row in 0..<plane.height {
        for column in 0..<plane.width * plane.bytesPerPixel {
          bytes[plane.offset + row * plane.bytesPerRow + column] = value(
            plane: index, plane, row: row, column: column, &numbers)
        }
      }
    }
    return bytes
  }

  private func value(
    plane index: Int, _ plane: VideoFormat.Plane, row: Int, column: Int,
    _ numbers: inout SeededNumbers
  ) -> UInt8 {
    let isPacked = plane.bytesPerPixel == 4
    if isPacked, column % 4 == 3 { return 77 }
    if kind == .chance { return UInt8.random(in: 0...255, using: &numbers) }
    let x = Double(column / plane.bytesPerPixel) / Double(max(1, plane.width - 1))
    let y = Double(row) / Double(max(1, plane.height - 1))
    let channel =
      isPacked ? column % 4 : index == 0 ? 0 : plane.bytesPerPixel == 2 ? 1 + column % 2 : index
    let color = SIMD3(220 * x, 40 + 180 * y, 200 - 150 * x * y) + 20
    let values = isPacked ? color : ColorEncoding(format).fromRGB(color)
    return UInt8(min(max(values[channel] + .random(in: -3...3, using: &numbers), 0), 255))
  }
}

/// The values of a picture, without what lies between rows, plane after plane.
func pictureBytes(_ sample: borrowing SampleBuffer) -> [UInt8] {
  guard case .video(let video) = sample.format.format else { return [] }
  return video.planes.enumerated().flatMap { index, plane in
    sample.withPlane(index) { bytes, stride in
      (0..<plane.height).flatMap { row in
        let begin = row * stride
        return Array(copying: bytes.extracting(begin..<begin + plane.width * plane.bytesPerPixel))
      }
    }
  }
}

/// How far two pictures are apart, in steps of 255.
struct PictureDifference {
  var mean = 0.0
  var worst = 0

  init(_ a: [UInt8], _ b: [UInt8]) {
    let differences = zip(a, b).map { abs(Int($0) - Int($1)) }
    mean = Double(differences.reduce(0, +)) / Double(max(1, differences.count))
    worst = a.count == b.count ? differences.max() ?? 0 : 256
  }
}
