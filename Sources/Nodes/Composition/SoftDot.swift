import GraphKit

/// Draws round spots with soft edges, each of one colour, at any place between pixels.
struct SoftDot: Sendable {
  private let contents: [PlaneContent]
  private let size: (width: Int, height: Int)
  /// Alpha of the pixels under a spot, for as many rows as a chroma sample has.
  private var coverage: [[Float]] = [[], []]
  private var colors: [UInt16] = []
  private var alphas: [UInt8] = []

  init(_ format: VideoFormat) {
    contents = format.pixelFormat.planeContents ?? []
    size = (format.width, format.height)
  }

  /// Draws a spot: `(1 - r²/R²)²` of its opacity at a distance r from its middle. The colour has the
  /// frame's encoding.
  mutating func draw(
    at place: SIMD2<Double>, radius: Double, opacity: Double, color: SIMD3<Double>,
    on frame: inout VideoFrame
  ) {
    let bounds = (
      x: Self.pixels(place.x - radius, place.x + radius, of: size.width),
      y: Self.pixels(place.y - radius, place.y + radius, of: size.height)
    )
    guard !bounds.x.isEmpty, !bounds.y.isEmpty, radius > 0 else { return }
    // Whole chroma samples, so that one loop does for all planes.
    let columns = bounds.x.lowerBound & ~1..<min((bounds.x.upperBound + 1) & ~1, size.width)
    for pair in bounds.y.lowerBound / 2...(bounds.y.upperBound - 1) / 2 {
      let rows = pair * 2..<min(pair * 2 + 2, size.height)
      for row in rows { cover(row, columns, place, radius, Float(opacity)) }
      for (index, content) in contents.enumerated() {
        if content.step == 1 {
          for row in rows { blend(row, columns, content, color, plane: index, on: &frame) }
        } else {
          blendChroma(pair, rows, columns, content, color, plane: index, on: &frame)
        }
      }
    }
  }

  private static func pixels(_ low: Double, _ high: Double, of length: Int) -> Range<Int> {
    guard low < Double(length), high > 0 else { return 0..<0 }
    let first = Int(max(0, low.rounded(.down)))
    return first..<max(first, Int(min(Double(length), high.rounded(.up))))
  }

  private mutating func cover(
    _ row: Int, _ columns: Range<Int>, _ place: SIMD2<Double>, _ radius: Double, _ opacity: Float
  ) {
    let scale = Float(1 / (radius * radius))
    let down = Float(Double(row) + 0.5 - place.y)
    let start = Float(Double(columns.lowerBound) + 0.5 - place.x)
    var alphas = coverage[row & 1]
    coverage[row & 1] = []
    if alphas.count < columns.count { alphas = [Float](repeating: 0, count: columns.count) }
    for index in 0..<columns.count {
      let across = start + Float(index)
      let part = max(0, 1 - (across * across + down * down) * scale)
      alphas[index] = part * part * opacity * 255
    }
    coverage[row & 1] = alphas
  }

  private mutating func blend(
    _ row: Int, _ columns: Range<Int>, _ content: PlaneContent, _ color: SIMD3<Double>, plane: Int,
    on frame: inout VideoFrame
  ) {
    begin(columns.count * content.channels.count)
    for index in 0..<columns.count {
      set(index, alpha: coverage[row & 1][index], content, color)
    }
    finish(row, start: columns.lowerBound, content, plane, &frame)
  }

  private mutating func blendChroma(
    _ row: Int, _ rows: Range<Int>, _ columns: Range<Int>, _ content: PlaneContent,
    _ color: SIMD3<Double>, plane: Int, on frame: inout VideoFrame
  ) {
    let count = (columns.count + 1) / 2
    begin(count * content.channels.count)
    for index in 0..<count {
      let across = index * 2..<min(index * 2 + 2, columns.count)
      var sum: Float = 0
      for row in rows { for column in across { sum += coverage[row & 1][column] } }
      set(index, alpha: sum / Float(rows.count * across.count), content, color)
    }
    finish(row, start: columns.lowerBound / 2, content, plane, &frame)
  }

  private mutating func begin(_ count: Int) {
    guard colors.count != count else { return }
    colors = [UInt16](repeating: 0, count: count)
    alphas = [UInt8](repeating: 0, count: count)
  }

  private mutating func set(
    _ index: Int, alpha: Float, _ content: PlaneContent, _ color: SIMD3<Double>
  ) {
    let rounded = alpha.rounded()
    for (place, channel) in content.channels.enumerated() {
      let value = channel == PlaneContent.alpha ? 255 : Float(color[channel])
      let byte = index * content.channels.count + place
      colors[byte] = UInt16(min(max((value * rounded).rounded(), 0), 255 * rounded))
      alphas[byte] = UInt8(rounded)
    }
  }

  private func finish(
    _ row: Int, start: Int, _ content: PlaneContent, _ plane: Int, _ frame: inout VideoFrame
  ) {
    let bytesPerRow = frame.bytesPerRow(ofPlane: plane)
    var pixels = frame.plane(plane)
    Blending.blend(
      colors.span, alphas.span, over: &pixels,
      from: row * bytesPerRow + start * content.channels.count)
  }
}
