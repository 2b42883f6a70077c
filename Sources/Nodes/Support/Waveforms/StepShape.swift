/// A waveform as columns of whole pixels, each from its lowest to its highest sample.
enum StepShape {
  /// The rows of pixels that a column fills; the lower one isn't filled any more.
  struct Column: Equatable {
    var top: Int
    var bottom: Int
  }

  /// The outline of a channel's columns.
  static func path(
    _ levels: WaveformLevels, _ window: WaveformWindow, channel: Int, in row: PixelRectangle
  ) -> SVGPath {
    var columns = (0..<window.columns).map { column in
      let (low, high) = levels.extremes(
        of: window.points(inColumn: column), channel: channel)
      return self.column(low, high, in: row)
    }
    join(&columns)
    return outline(columns, in: row)
  }

  /// A column is never empty: silence is a line. A column of less than a pixel is drawn as the
  /// pixel that contains it, or at even heights, where the middle is between two, as the one below
  /// it.
  private static func column(_ low: Double, _ high: Double, in row: PixelRectangle) -> Column {
    let half = Double(row.height) / 2
    let (upper, lower) = (half - high * half, half - low * half)
    var top = Int((upper - 0.5).rounded(.up))
    var bottom = Int(lower.rounded())
    if lower - upper < 1 {
      let middle = (upper + lower) / 2 + (row.height % 2 == 0 ? 0.5 : 0)
      top = min(Int(middle), row.height - 1)
      bottom = top + 1
    }
    return Column(top: row.y + max(0, top), bottom: row.y + min(row.height, bottom))
  }

  /// Columns beside each other touch, as the samples that they stand for follow each other.
  private static func join(_ columns: inout [Column]) {
    for right in columns.indices.dropFirst() {
      let left = right - 1
      if columns[left].bottom < columns[right].top {
        let middle = (columns[left].bottom + columns[right].top) / 2
        columns[left].bottom = middle
        columns[right].top = middle
      } else if columns[right].bottom < columns[left].top {
        let middle = (columns[right].bottom + columns[left].top) / 2
        columns[right].bottom = middle
        columns[left].top = middle
      }
    }
  }

  private static func outline(_ columns: [Column], in row: PixelRectangle) -> SVGPath {
    var path = SVGPath()
    guard let first = columns.first else { return path }
    path.move(Double(row.x), Double(first.top))
    for (index, column) in columns.enumerated() {
      path.vertical(Double(column.top))
      path.horizontal(Double(row.x + index + 1))
    }
    for (index, column) in columns.enumerated().reversed() {
      path.vertical(Double(column.bottom))
      path.horizontal(Double(row.x + index))
    }
    path.close()
    return path
  }
}
