/// A waveform as one filled curve of its magnitudes, mirrored about its middle.
enum MirroredShape {
  /// The outline of a channel.
  static func path(
    _ levels: WaveformLevels, _ window: WaveformWindow, channel: Int, in row: PixelRectangle
  ) -> SVGPath {
    var path = SVGPath()
    let count = min(window.points.count, window.columns)
    guard count > 0 else { return path }
    let (left, right) = (Double(row.x), Double(row.x + window.columns))
    let half = Double(row.height) / 2
    let (middle, least) = (Double(row.y) + half, row.height % 2 == 0 ? min(1, half) : 0.5)
    let knots = (0..<count).map { part in
      let points = window.points(inPart: part, of: count)
      let reach = levels.magnitude(of: points, channel: channel) * half
      let x = left + (Double(part) + 0.5) * (right - left) / Double(count)
      return (x: x, reach: max(least, reach))
    }
    path.move(left, middle - least)
    for knot in knots { path.line(knot.x, middle - knot.reach) }
    path.line(right, middle - least)
    path.vertical(middle + least)
    for knot in knots.reversed() { path.line(knot.x, middle + knot.reach) }
    path.line(left, middle + least)
    path.close()
    return path
  }
}
