/// A chain of point effects as one function on the values of a frame's pixels.
struct ColorFunction: Sendable {
  private let effects: [any PointEffect]
  /// From a pixel's values to red, green and blue, all from 0 to 255.
  let decoding: ColorTransform
  /// And back.
  let encoding: ColorTransform

  /// The function for frames of a format. The values of a pixel of four bytes are its first three.
  init(_ effects: [any PointEffect], in format: VideoFormat) {
    self.effects = effects
    let colors = ColorEncoding(format)
    let swap = ColorTransform(rows: (SIMD3(0, 0, 1), SIMD3(0, 1, 0), SIMD3(1, 0, 0)))
    let order = format.pixelFormat == .bgra ? swap : .identity
    decoding = order.then(colors.toRGB)
    encoding = colors.fromRGB.then(order)
  }

  /// What the effects make of a colour, one after another, unlimited.
  func color(_ color: RGB) -> RGB {
    var color = color
    for effect in effects { color = effect.color(color) }
    return color
  }

  /// The colour of a pixel that the effects have changed, from 0 to 255.
  func shown(_ values: SIMD3<Double>) -> SIMD3<Double> {
    let color = decoding(values) / 255
    // What rounding has left of black, a function that is steep there would make much of: the tenth
    // root of 1e-16 is 1/40.
    let isBlack = color .< 1e-9 .& (color .> -1e-9)
    return limited(self.color(RGB(color.replacing(with: 0, where: isBlack))))
  }

  /// A colour that the effects have made, from 0 to 255.
  func limited(_ color: RGB) -> SIMD3<Double> {
    let changed = SIMD3<Double>(color)
    let numbers = changed.replacing(with: 0, where: changed .!= changed)
    return numbers.clamped(lowerBound: .zero, upperBound: .one) * 255
  }

  /// The values of a pixel that shows a colour.
  func values(_ shown: SIMD3<Double>) -> SIMD3<UInt8> {
    let values = encoding(shown).rounded(.toNearestOrAwayFromZero)
    return SIMD3<UInt8>(values.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255)))
  }
}

// MARK: Exactly

extension ColorFunction {
  /// Changes a frame, each pixel by the function itself.
  func apply(to frame: inout VideoFrame) throws(NodeError) {
    switch frame.format.pixelFormat {
    case .bgra, .rgba: changePixels(of: &frame)
    case .i420: changePlanes(of: &frame, u: (1, 0), v: (2, 0), step: 1)
    case .nv12: changePlanes(of: &frame, u: (1, 0), v: (1, 1), step: 2)
    case .yuy2, .gray8: throw .colorless(frame.format.pixelFormat)
    }
  }

  private func changePixels(of frame: inout VideoFrame) {
    let (width, height, stride) = (frame.width, frame.height, frame.bytesPerRow(ofPlane: 0))
    var bytes = frame.plane(0)
    for row in 0..<height {
      for byteOffset in Swift.stride(from: row * stride, to: row * stride + 4 * width, by: 4) {
        let pixel = SIMD3(bytes[byteOffset], bytes[byteOffset + 1], bytes[byteOffset + 2])
        let changed = values(shown(SIMD3<Double>(pixel)))
        for byte in 0..<3 { bytes[byteOffset + byte] = changed[byte] }
      }
    }
  }

  /// Of a chroma plane: its number, and where its first value is.
  private typealias ChromaPlace = (plane: Int, offset: Int)

  private func changePlanes(
    of frame: inout VideoFrame, u: ChromaPlace, v: ChromaPlace, step: Int
  ) {
    let (columns, rows) = ((frame.width + 1) / 2, (frame.height + 1) / 2)
    for row in 0..<rows {
      for column in 0..<columns {
        var (u, v) = (u, v)
        u.offset += row * frame.bytesPerRow(ofPlane: u.plane) + column * step
        v.offset += row * frame.bytesPerRow(ofPlane: v.plane) + column * step
        changeBlock(of: &frame, row: 2 * row, column: 2 * column, u: u, v: v)
      }
    }
  }

  /// Two by two pixels that share their chroma; at the edge, fewer.
  private func changeBlock(
    of frame: inout VideoFrame, row: Int, column: Int, u: ChromaPlace, v: ChromaPlace
  ) {
    let (blue, red) = (frame.plane(u.plane)[u.offset], frame.plane(v.plane)[v.offset])
    var (sum, count) = (SIMD3<Double>.zero, 0.0)
    for row in row..<min(row + 2, frame.height) {
      for column in column..<min(column + 2, frame.width) {
        let byteOffset = row * frame.bytesPerRow(ofPlane: 0) + column
        var luma = frame.plane(0)
        let color = shown(SIMD3(Double(luma[byteOffset]), Double(blue), Double(red)))
        luma[byteOffset] = values(color).x
        sum += color
        count += 1
      }
    }
    let mean = values(sum / count)
    var plane = frame.plane(u.plane)
    plane[u.offset] = mean.y
    plane = frame.plane(v.plane)
    plane[v.offset] = mean.z
  }
}

extension NodeError {
  static func colorless(_ pixelFormat: PixelFormat) -> NodeError {
    NodeError(
      "colours can't be changed in \(pixelFormat.rawValue)",
      remedy: "put a videoConvert to i420, nv12, bgra or rgba before it", key: "in")
  }
}
