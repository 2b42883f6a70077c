import GraphKit

/// A picture in the format of the frame that it is laid over, with a blend mode and an outline.
///
/// Colours are blended in red, green and blue, pixel by pixel; where four pixels share their chroma, it
/// changes by the mean of what becomes of theirs. Inside of the outline a picture in the mode `normal`
/// is copied or mixed as it is.
struct LayeredPicture {
  private let held: HeldFrame
  private let place: PicturePlace
  private let format: VideoFormat
  private let contents: [PlaneContent]
  private let outline: PictureOutline
  private let border: SIMD4<Float>
  private let toRGB: FloatColorMap
  private let fromRGB: FloatColorMap
  /// The upper left corner in the frame, even where chroma is that of four pixels.
  private let corner: (x: Int, y: Int)

  /// Rows that are read at a time: a multiple of those that share chroma.
  private static let bandHeight = 16

  /// A picture of a mix; `nil` where its format has no planes to lay it over.
  init?(_ held: HeldFrame, at place: PicturePlace) {
    guard case .video(let format) = held.sample.format.format,
      let contents = format.pixelFormat.planeContents
    else { return nil }
    (self.held, self.place, self.format, self.contents) = (held, place, format, contents)
    outline = PictureOutline(
      width: format.width, height: format.height, radius: place.radius, border: place.border)
    let encoding = ColorEncoding(format)
    (toRGB, fromRGB) = (FloatColorMap(encoding.toRGB), FloatColorMap(encoding.fromRGB))
    let rgb = place.borderColor
    border = fromRGB(
      SIMD4(Float(rgb >> 16 & 255), Float(rgb >> 8 & 255), Float(rgb & 255), 0))
    let (across, down) = format.pixelFormat.subsampling
    corner = (Self.floored(place.x, to: across), Self.floored(place.y, to: down))
  }

  private static func floored(_ place: Int, to step: Int) -> Int {
    place - (place % step + step) % step
  }

  /// Lays the picture over a frame of its pixel format.
  func draw(on frame: inout VideoFrame) throws(NodeError) {
    let whole = PictureRect(width: format.width, height: format.height)
    guard place.blend == .normal else { return blend(whole, over: &frame) }
    let (across, down) = format.pixelFormat.subsampling
    let left = min((outline.inset + across - 1) / across * across, whole.width)
    let top = min((outline.inset + down - 1) / down * down, whole.height)
    let bottom = max(top, (whole.height - outline.inset) / down * down)
    let right = max(left, (whole.width - outline.inset) / across * across)
    let inside = PictureRect(x: left, y: top, width: right - left, height: bottom - top)
    try frame.draw(
      held, inside, at: (corner.x + left, corner.y + top), opacity: place.opacity)
    blend(PictureRect(width: whole.width, height: top), over: &frame)
    blend(
      PictureRect(y: bottom, width: whole.width, height: whole.height - bottom), over: &frame)
    blend(PictureRect(y: top, width: left, height: bottom - top), over: &frame)
    blend(
      PictureRect(x: right, y: top, width: whole.width - right, height: bottom - top),
      over: &frame)
  }

  /// Blends a part of the picture, as far as it is inside of the frame.
  private func blend(_ part: PictureRect, over frame: inout VideoFrame) {
    let columns =
      max(
        part.x, -corner.x)..<max(
        max(part.x, -corner.x), min(part.x + part.width, frame.width - corner.x))
    let last = min(part.y + part.height, frame.height - corner.y)
    var row = max(part.y, -corner.y)
    while row < last, !columns.isEmpty {
      let band = PixelBand(columns: columns, rows: row..<min(row + Self.bandHeight, last))
      blend(band, over: &frame)
      row = band.rows.upperBound
    }
  }

  private func blend(_ band: PixelBand, over frame: inout VideoFrame) {
    var (above, below) = (band.values, band.values)
    for (index, content) in contents.enumerated() where index < frame.planeCount {
      held.sample.withPlane(index) { bytes, stride in
        band.read(bytes, stride, content, at: (0, 0), into: &above)
      }
      let stride = frame.bytesPerRow(ofPlane: index)
      let plane = frame.plane(index)
      band.read(plane.span, stride, content, at: corner, into: &below)
    }
    change(&above, over: below, band)
    for (index, content) in contents.enumerated() where index < frame.planeCount {
      let stride = frame.bytesPerRow(ofPlane: index)
      let (width, height) = (frame.width - corner.x, frame.height - corner.y)
      var plane = frame.plane(index)
      band.add(
        above, to: &plane, stride, content, at: corner, frame: (width: width, height: height))
    }
  }

  /// Makes of the values above what those below change by.
  private func change(
    _ above: inout [SIMD4<Float>], over below: [SIMD4<Float>], _ band: PixelBand
  ) {
    let (opacity, mode, paint) = (Float(place.opacity), place.blend, border)
    var index = 0
    for row in band.rows {
      for column in band.columns {
        let coverage = outline.coverage(column: column, row: row)
        var color = above[index]
        let ground = below[index]
        if coverage.picture < 1 {
          let opaque = SIMD4(paint.x, paint.y, paint.z, 255)
          color = opaque + (color - opaque) * coverage.picture
        }
        if mode != .normal { color = blended(color, over: ground, mode) }
        above[index] = (color - ground) * (coverage.outline * opacity)
        index += 1
      }
    }
  }

  /// The colour that a mode makes of two, all of them as they are stored.
  @inline(__always)
  private func blended(
    _ color: SIMD4<Float>, over ground: SIMD4<Float>, _ mode: BlendMode
  ) -> SIMD4<Float> {
    let (above, below) = (toRGB.unit(color), toRGB.unit(ground))
    var result = fromRGB(mode(below, above) * 255)
    result.w = color.w
    return result
  }
}

/// A linear map of colours in 0...255, in single precision.
private struct FloatColorMap {
  private let columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
  private let offset: SIMD4<Float>

  init(_ map: ColorTransform) {
    func column(_ index: Int) -> SIMD4<Float> {
      SIMD4(Float(map.first[index]), Float(map.second[index]), Float(map.third[index]), 0)
    }
    columns = (column(0), column(1), column(2))
    offset = SIMD4(Float(map.offset.x), Float(map.offset.y), Float(map.offset.z), 0)
  }

  @inline(__always)
  func callAsFunction(_ color: SIMD4<Float>) -> SIMD4<Float> {
    columns.0 * color.x + columns.1 * color.y + columns.2 * color.z + offset
  }

  /// The result in 0...1, without what is outside of it.
  @inline(__always)
  func unit(_ color: SIMD4<Float>) -> SIMD4<Float> {
    (self(color) / 255).clamped(
      lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1))
  }
}

/// Some rows of some columns of a picture, pixel by pixel.
private struct PixelBand {
  let columns: Range<Int>
  let rows: Range<Int>

  /// A value for each pixel.
  var values: [SIMD4<Float>] {
    [SIMD4<Float>](repeating: .zero, count: columns.count * rows.count)
  }

  /// Reads what a plane has of each pixel, from a picture whose own upper left corner is at `origin`.
  func read(
    _ bytes: Span<UInt8>, _ stride: Int, _ content: PlaneContent, at origin: (x: Int, y: Int),
    into values: inout [SIMD4<Float>]
  ) {
    guard !bytes.isEmpty else { return }
    let count = content.channels.count
    var index = 0
    for row in rows {
      let line = (row + origin.y) / content.step * stride
      for column in columns {
        let place = line + (column + origin.x) / content.step * count
        for (offset, channel) in content.channels.enumerated() {
          values[index][channel] = Float(bytes[place + offset])
        }
        index += 1
      }
    }
  }

  /// Adds to a plane's samples the mean of what their pixels change by. `frame` is how far the frame
  /// goes on from the picture's corner.
  func add(
    _ changes: [SIMD4<Float>], to bytes: inout MutableSpan<UInt8>, _ stride: Int,
    _ content: PlaneContent, at origin: (x: Int, y: Int), frame: (width: Int, height: Int)
  ) {
    let (step, count) = (content.step, content.channels.count)
    let lines = rows.lowerBound / step..<(rows.upperBound + step - 1) / step
    let places = columns.lowerBound / step..<(columns.upperBound + step - 1) / step
    for line in lines {
      for place in places {
        let change = mean(of: changes, step, column: place * step, row: line * step, frame)
        let byte = (line + origin.y / step) * stride + (place + origin.x / step) * count
        for (offset, channel) in content.channels.enumerated() {
          let value = Float(bytes[byte + offset]) + change[channel]
          bytes[byte + offset] = UInt8(min(max(value, 0), 255) + 0.5)
        }
      }
    }
  }

  /// The mean over the pixels of the frame that share a sample; those outside of the band don't change.
  @inline(__always)
  private func mean(
    of changes: [SIMD4<Float>], _ step: Int, column: Int, row: Int,
    _ frame: (width: Int, height: Int)
  ) -> SIMD4<Float> {
    if step == 1 {
      return changes[(row - rows.lowerBound) * columns.count + column - columns.lowerBound]
    }
    var sum = SIMD4<Float>.zero
    for y in max(row, rows.lowerBound)..<min(row + step, rows.upperBound) {
      let line = (y - rows.lowerBound) * columns.count - columns.lowerBound
      for x in max(column, columns.lowerBound)..<min(column + step, columns.upperBound) {
        sum += changes[line + x]
      }
    }
    let shared = min(step, frame.width - column) * min(step, frame.height - row)
    return sum / Float(max(1, shared))
  }
}
