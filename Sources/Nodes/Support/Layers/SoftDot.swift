import GraphKit

/// Draws round spots with soft edges, each of one colour, at any place between pixels.
struct SoftDot: Sendable {
  private let contents: [PlaneContent]
  private let size: (width: Int, height: Int)
  /// Alpha of the pixels under a spot, for as many rows as a chroma sample has.
  private var coverage: [[Float]] = [[], []]
  private var means: [Float] = []
  private var colors: [UInt16] = []
  private var alphas: [UInt8] = []

  init(_ format: VideoFormat) {
    contents = format.pixelFormat.planeContents ?? []
    size = (format.width, format.height)
  }

  /// Draws a spot: `(1 - r²/R²)²` of its opacity at a distance r from its middle. The colour has the
  /// frame's encoding.
  mutating func draw(
    at center: SIMD2<Double>, radius: Double, opacity: Double, color: SIMD3<Double>,
    on frame: inout VideoFrame
  ) {
    let bounds = (
      x: Self.pixels(center.x - radius, center.x + radius, of: size.width),
      y: Self.pixels(center.y - radius, center.y + radius, of: size.height)
    )
    guard !bounds.x.isEmpty, !bounds.y.isEmpty, radius > 0 else { return }
    // Whole chroma samples, so that one loop does for all planes.
    let columns = bounds.x.lowerBound & ~1..<min((bounds.x.upperBound + 1) & ~1, size.width)
    for pair in bounds.y.lowerBound / 2...(bounds.y.upperBound - 1) / 2 {
      let rows = pair * 2..<min(pair * 2 + 2, size.height)
      for row in rows { cover(row, columns, center, radius, Float(opacity)) }
      average(rows, columns.count)
      for index in contents.indices {
        let content = contents[index]
        guard content.step == 1 else {
          blend(
            means, (columns.count + 1) / 2, pair, start: columns.lowerBound / 2, content, color,
            index, &frame)
          continue
        }
        for row in rows {
          blend(
            coverage[row & 1], columns.count, row, start: columns.lowerBound, content, color, index,
            &frame)
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
    _ row: Int, _ columns: Range<Int>, _ center: SIMD2<Double>, _ radius: Double, _ opacity: Float
  ) {
    let scale = Float(1 / (radius * radius))
    let down = Float(Double(row) + 0.5 - center.y)
    let start = Float(Double(columns.lowerBound) + 0.5 - center.x)
    var alphas = coverage[row & 1]
    coverage[row & 1] = []
    if alphas.count < columns.count { alphas = [Float](repeating: 0, count: columns.count) }
    var target = alphas.mutableSpan
    for index in 0..<columns.count {
      let across = start + Float(index)
      let part = max(0, 1 - (across * across + down * down) * scale)
      target[index] = part * part * opacity * 255
    }
    coverage[row & 1] = alphas
  }

  /// Means of up to four pixels each, for a row of chroma.
  private mutating func average(_ rows: Range<Int>, _ count: Int) {
    let chroma = (count + 1) / 2
    if means.count < chroma { means = [Float](repeating: 0, count: chroma) }
    let (upper, lower) = (coverage[0], coverage[rows.count - 1])
    for index in 0..<chroma {
      let (first, last) = (index * 2, min(index * 2 + 1, count - 1))
      means[index] = (upper[first] + upper[last] + lower[first] + lower[last]) / 4
    }
  }

  /// Makes samples of coverage, and blends them.
  private mutating func blend(
    _ coverage: [Float], _ count: Int, _ row: Int, start: Int, _ content: PlaneContent,
    _ color: SIMD3<Double>, _ plane: Int, _ frame: inout VideoFrame
  ) {
    let (width, channels) = (content.channels.count, content.channels)
    if colors.count < count * width {
      colors = [UInt16](repeating: 0, count: count * width)
      alphas = [UInt8](repeating: 0, count: count * width)
    }
    // Out of the struct for the loop: an array that is in one asks at each write whether it is its
    // own.
    var (target, weights) = (colors, alphas)
    (colors, alphas) = ([], [])
    for byte in 0..<width {
      let value = channels[byte] == PlaneContent.alpha ? 255 : Float(color[channels[byte]])
      let bounded = min(max(value, 0), 255)
      for index in 0..<count {
        let alpha = Int32(coverage[index] + 0.5)
        target[index * width + byte] = UInt16(
          truncatingIfNeeded: Int32(bounded * Float(alpha) + 0.5))
        weights[index * width + byte] = UInt8(truncatingIfNeeded: alpha)
      }
    }
    (colors, alphas) = (target, weights)
    let bytesPerRow = frame.bytesPerRow(ofPlane: plane)
    var pixels = frame.plane(plane)
    Blending.blend(
      colors.span.extracting(0..<count * width), alphas.span.extracting(0..<count * width),
      over: &pixels, from: row * bytesPerRow + start * width)
  }
}
