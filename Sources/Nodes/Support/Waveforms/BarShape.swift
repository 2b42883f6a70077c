/// A waveform as bars that reach as far up as down, on whole pixels.
struct BarShape {
  /// The width of a bar and that of the gap after it, in pixels.
  let width: Int
  let gap: Int
  let isRounded: Bool
  let scale: Int

  init(_ image: WaveformImage) {
    scale = image.scale
    width = image.barWidth * scale
    gap = image.barGap * scale
    isRounded = image.barStyle == .rounded
  }

  /// A bar: where it begins and ends from left to right, and its points.
  struct Bar: Equatable {
    var left: Int
    var right: Int
    var points: Range<Int>
  }

  /// The outlines of a channel's bars.
  func path(_ levels: WaveformLevels, _ bars: [Bar], channel: Int, in row: PixelRectangle)
    -> SVGPath
  {
    var path = SVGPath()
    for bar in bars {
      draw(
        bar, levels.magnitude(of: bar.points, channel: channel), in: row, into: &path)
    }
    return path
  }

  /// Bars over the whole width, each with half of the gap at either side.
  func spread(_ window: WaveformWindow, over row: PixelRectangle) -> [Bar] {
    guard !window.points.isEmpty else { return [] }
    let count = max(1, row.width / (width + gap))
    let width = min(width, row.width)
    let left = row.x + max(0, row.width - count * (width + gap) + gap) / 2
    return (0..<count).map { bar in
      let left = left + bar * (width + gap)
      return Bar(
        left: left, right: left + width, points: window.points(inPart: bar, of: count))
    }
  }

  /// Bars of one point a pixel. They stand on a grid that begins with the first point of all, so
  /// that pictures that begin at different times show the same bars.
  func onGrid(_ window: WaveformWindow, over row: PixelRectangle) -> [Bar] {
    guard !window.points.isEmpty else { return [] }
    let step = (width + gap) / scale
    let first = window.points.lowerBound / step * step
    return stride(from: first, to: window.points.upperBound, by: step).compactMap { point in
      let left = row.x + (point - window.points.lowerBound) * scale
      let visible = max(left, row.x)..<max(row.x, min(left + width, row.right))
      guard !visible.isEmpty else { return nil }
      return Bar(
        left: visible.lowerBound, right: visible.upperBound,
        points: point..<min(point + step, window.points.upperBound))
    }
  }

  private func draw(
    _ bar: Bar, _ magnitude: Double, in row: PixelRectangle, into path: inout SVGPath
  ) {
    let half = Double(row.height) / 2
    let least = min(half, Double(isRounded ? min(width, 4 * scale) : scale) / 2)
    // Rounded once, and the other end mirrored: an odd height has its middle within a pixel.
    let top = min((half - max(magnitude * half, least)).rounded(), (half - 0.5).rounded(.down))
    let (left, right) = (Double(bar.left), Double(bar.right))
    let (upper, lower) = (Double(row.y) + top, Double(row.y + row.height) - top)
    let radius = min((right - left) / 2, (lower - upper) / 2)
    guard isRounded, radius > 0.5 else {
      return path.rectangle(left, upper, right - left, lower - upper)
    }
    path.move(left, upper + radius)
    path.arc((right - left) / 2, radius, to: right, upper + radius)
    path.vertical(lower - radius)
    path.arc((right - left) / 2, radius, to: left, lower - radius)
    path.close()
  }
}
