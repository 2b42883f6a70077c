import GraphKit

/// A picture at its place in frames of a format, in the frames' own layout.
///
/// Conversion, scaling of chroma and multiplication by alpha are over once there is a layer:
/// drawing it blends the planes' bytes that it covers, and touches no others.
struct Layer: Sendable {
  private var planes: [BlendedPlane]

  /// A picture with its upper left corner at a place, of which only the part inside the frame
  /// counts.
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

/// The part of a picture that is inside a frame, in the frame's encoding, pixel by pixel.
private struct EncodedPicture {
  private let frame: (width: Int, height: Int)
  private let columns: Range<Int>
  private let rows: Range<Int>
  /// The three values times alpha, and alpha, 0...255.
  private var samples: [SIMD4<Float>] = []
  /// The columns of each row from its first pixel that isn't transparent to its last.
  private var inked: [Range<Int>] = []

  init(_ picture: Picture, at corner: Corner, opacity: Double, on format: VideoFormat) {
    frame = (format.width, format.height)
    columns = Self.visible(from: corner.x, picture.width, in: format.width)
    rows = Self.visible(from: corner.y, picture.height, in: format.height)
    let opacity = Float(min(max(opacity, 0), 1))
    let encode = PremultipliedEncoder(ColorEncoding(format))
    samples = [SIMD4<Float>](repeating: .zero, count: columns.count * rows.count)
    var index = 0
    for row in rows {
      let start = (row - corner.y) * picture.width - corner.x
      var (first, last) = (columns.upperBound, columns.lowerBound)
      for column in columns {
        if picture.pixels[(start + column) * 4 + 3] != 0 {
          samples[index] = encode(picture, at: (start + column) * 4) * opacity
          (first, last) = (min(first, column), column + 1)
        }
        index += 1
      }
      inked.append(min(first, last)..<last)
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
    let (step, channels) = (content.step, content.channels)
    let across = columns.lowerBound / step..<(columns.upperBound + step - 1) / step
    var line = [SIMD4<Float>](repeating: .zero, count: across.count)
    var colors = [UInt16](repeating: 0, count: across.count * channels.count)
    var alphas = [UInt8](repeating: 0, count: colors.count)
    for row in rows.lowerBound / step..<(rows.upperBound + step - 1) / step {
      let down = (row * step..<min((row + 1) * step, frame.height)).clamped(to: rows)
      guard down.contains(where: { !inked[$0 - rows.lowerBound].isEmpty }) else { continue }
      fill(&line, row: row, from: across.lowerBound, step: step)
      var byte = 0
      for sample in line {
        let (color, alpha) = Self.rounded(sample)
        for channel in channels {
          colors[byte] = alpha == 0 ? 0 : color[channel]
          alphas[byte] = alpha
          byte += 1
        }
      }
      plane.add(
        row: row, start: across.lowerBound * channels.count, colors: colors.span,
        alphas: alphas.span)
    }
    return plane
  }

  /// A row of a plane: each sample is the mean of the pixels that it stands for, of as many as are
  /// in the frame.
  private func fill(_ line: inout [SIMD4<Float>], row: Int, from first: Int, step: Int) {
    for index in line.indices { line[index] = .zero }
    let down = row * step..<min((row + 1) * step, frame.height)
    for row in down.clamped(to: rows) {
      let start = (row - rows.lowerBound) * columns.count - columns.lowerBound
      for column in inked[row - rows.lowerBound] {
        // A division by the step, which is 1 or 2.
        line[(column &>> (step - 1)) - first] += samples[start + column]
      }
    }
    guard step > 1 else { return }
    for index in line.indices {
      let across = min((first + index + 1) * step, frame.width) - (first + index) * step
      line[index] *= 1 / Float(down.count * across)
    }
  }

  /// The three values times alpha, and 255 times alpha, where alpha is a whole number. One by one,
  /// since the conversion of whole vectors costs ten times as much.
  @inline(__always)
  private static func rounded(_ sample: SIMD4<Float>) -> (SIMD4<UInt16>, alpha: UInt8) {
    let alpha = Int32(sample.w + 0.5)
    guard alpha > 0 else { return (.zero, 0) }
    let (most, scale) = (Float(255 * alpha), Float(alpha) / sample.w)
    func whole(_ value: Float) -> UInt16 {
      UInt16(truncatingIfNeeded: Int32(min(max(value * scale, 0), most) + 0.5))
    }
    return (
      SIMD4(whole(sample.x), whole(sample.y), whole(sample.z), UInt16(most)),
      UInt8(truncatingIfNeeded: alpha)
    )
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
    let scale = Float(picture.isPremultiplied ? 255 : alpha)
    let (red, green, blue) = (
      Float(picture.pixels[byte]) * scale, Float(picture.pixels[byte + 1]) * scale,
      Float(picture.pixels[byte + 2]) * scale
    )
    return self.red * red + self.green * green + self.blue * blue + black * Float(alpha)
  }
}
