import GraphKit

/// A picture at its place in frames of a format, in the frames' own layout.
///
/// Conversion, scaling of chroma and multiplication by alpha are over once there is a layer: drawing
/// it blends the planes' bytes that it covers, and touches no others.
struct Layer: Sendable {
  private var planes: [BlendedPlane]

  /// A picture with its upper left corner at a place, of which only what lies in the frame counts.
  ///
  /// A chroma sample stands for up to four pixels of the frame: its alpha is the mean of theirs, of
  /// as many as there are at odd edges, and its colour that of those which aren't transparent.
  init(_ picture: Picture, at corner: Corner, opacity: Double, on format: VideoFormat) {
    let encoded = EncodedPicture(picture, at: corner, opacity: opacity, on: format)
    planes = (format.pixelFormat.planeContents ?? []).map { encoded.plane($0) }
  }

  /// Lays the picture over a frame.
  func draw(on frame: inout VideoFrame) {
    for index in planes.indices where index < frame.planeCount {
      let bytesPerRow = frame.bytesPerRow(ofPlane: index)
      var pixels = frame.plane(index)
      planes[index].draw(on: &pixels, bytesPerRow: bytesPerRow)
    }
  }
}

/// The part of a picture that lies in a frame, in the frame's encoding, with a value for each pixel.
private struct EncodedPicture {
  private let frame: (width: Int, height: Int)
  private let columns: Range<Int>
  private let rows: Range<Int>
  /// The three values times alpha, and alpha, 0...255.
  private var samples: [SIMD4<Float>] = []

  init(_ picture: Picture, at corner: Corner, opacity: Double, on format: VideoFormat) {
    frame = (format.width, format.height)
    columns = Self.visible(from: corner.x, picture.width, in: format.width)
    rows = Self.visible(from: corner.y, picture.height, in: format.height)
    let opacity = Float(min(max(opacity, 0), 1))
    let encode = PremultipliedEncoder(ColorEncoding(format))
    samples.reserveCapacity(columns.count * rows.count)
    for row in rows {
      let start = (row - corner.y) * picture.width - corner.x
      for column in columns {
        samples.append(encode(picture, at: (start + column) * 4) * opacity)
      }
    }
  }

  private static func visible(from start: Int, _ length: Int, in whole: Int) -> Range<Int> {
    let first = min(max(0, start), whole)
    return first..<max(first, min(whole, start + length))
  }

  /// The samples of a plane that the picture covers.
  func plane(_ content: PlaneContent) -> BlendedPlane {
    var plane = BlendedPlane()
    guard !rows.isEmpty, !columns.isEmpty else { return plane }
    let step = content.step
    let across = columns.lowerBound / step..<(columns.upperBound + step - 1) / step
    let width = content.channels.count
    var colors = [UInt16](repeating: 0, count: across.count * width)
    var alphas = [UInt8](repeating: 0, count: colors.count)
    for row in rows.lowerBound / step..<(rows.upperBound + step - 1) / step {
      for column in across {
        let sample = sample(row, column, step: step)
        let alpha = sample.w.rounded()
        for (place, channel) in content.channels.enumerated() {
          let byte = (column - across.lowerBound) * width + place
          alphas[byte] = UInt8(alpha)
          let color =
            channel == PlaneContent.alpha
            ? 255 * alpha : sample.w > 0 ? sample[channel] * (alpha / sample.w) : 0
          colors[byte] = UInt16(min(max(color.rounded(), 0), 255 * alpha))
        }
      }
      plane.add(
        row: row, start: across.lowerBound * width, colors: colors.span, alphas: alphas.span)
    }
    return plane
  }

  /// The mean of the pixels that a plane's sample stands for, in as much of it as is in the frame.
  private func sample(_ row: Int, _ column: Int, step: Int) -> SIMD4<Float> {
    guard step > 1 else {
      return samples[(row - rows.lowerBound) * columns.count + column - columns.lowerBound]
    }
    let down = row * step..<min((row + 1) * step, frame.height)
    let across = column * step..<min((column + 1) * step, frame.width)
    var sum = SIMD4<Float>.zero
    for row in down.clamped(to: rows) {
      let start = (row - rows.lowerBound) * columns.count - columns.lowerBound
      for column in across.clamped(to: columns) { sum += samples[start + column] }
    }
    return sum / Float(down.count * across.count)
  }
}

/// The way from a picture's pixels to a frame's values, times alpha.
private struct PremultipliedEncoder {
  private let red: SIMD4<Float>
  private let green: SIMD4<Float>
  private let blue: SIMD4<Float>
  /// What alpha adds: the values of black, and alpha itself.
  private let black: SIMD4<Float>

  init(_ encoding: ColorEncoding) {
    let map = encoding.fromRGB
    func column(_ index: Int) -> SIMD4<Float> {
      SIMD4(Float(map.first[index]), Float(map.second[index]), Float(map.third[index]), 0)
    }
    (red, green, blue) = (column(0), column(1), column(2))
    black = SIMD4(Float(map.offset.x), Float(map.offset.y), Float(map.offset.z), 1)
  }

  func callAsFunction(_ picture: Picture, at byte: Int) -> SIMD4<Float> {
    let alpha = picture.pixels[byte + 3]
    guard alpha != 0 else { return .zero }
    let scale = Float(picture.isPremultiplied ? 255 : alpha)
    let (red, green, blue) = (
      Float(picture.pixels[byte]) * scale, Float(picture.pixels[byte + 1]) * scale,
      Float(picture.pixels[byte + 2]) * scale
    )
    return self.red * red + self.green * green + self.blue * blue + black * Float(alpha)
  }
}
