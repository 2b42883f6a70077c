import GraphKit

/// The shape of a waveform in a view: what a view draws, or an SVG path.
struct WaveformPath {
  /// The view's size, in points of the screen.
  var width = 800.0
  var height = 120.0
  /// What stays free at the view's left and right, and at its top and bottom.
  var insets = (horizontal: 8.0, vertical: 6.0)

  /// A column of the picture: from `top` down to `bottom` at `x`.
  struct Column: Equatable {
    var x: Double
    var top: Double
    var bottom: Double
  }

  /// The columns that the view has room for, one for each point of its width.
  var columnCount: Int { max(1, Int(width - 2 * insets.horizontal)) }

  /// The columns of the peaks so far, which are the first of as many as the view has room for.
  func columns(of peaks: Peaks) -> [Column] {
    let middle = height / 2
    let scale = (height - 2 * insets.vertical) / 2 / 32_768
    return (0..<min(peaks.count, columnCount)).map { point in
      Column(
        x: insets.horizontal + Double(point) + 0.5,
        top: middle - Double(peaks.high(point)) * scale,
        bottom: middle - Double(peaks.low(point)) * scale)
    }
  }

  /// A picture of the columns.
  func svg(of columns: [Column]) -> String {
    let path = columns.map { "M\($0.x) \($0.top)V\($0.bottom)" }.joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)">\
      <path d="\(path)" stroke="#118ab2" stroke-linecap="round"/></svg>

      """
  }
}
