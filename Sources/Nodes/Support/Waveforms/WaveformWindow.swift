import GraphKit

/// Which points of a waveform a picture shows, and which of them lie in a column of its pixels.
struct WaveformWindow: Sendable {
  /// The points that are shown.
  let points: Range<Int>
  /// The columns that they take.
  let columns: Int
  /// The columns of a point, where each has as many.
  private let columnsPerPoint: Int?

  /// - Parameters:
  ///   - first: the first point to show.
  ///   - width: the columns that there are.
  ///   - columnsPerPoint: the columns of a point; `nil` spreads all points over the width.
  init(count: Int, first: Int, width: Int, columnsPerPoint: Int?) {
    let first = min(max(0, first), count)
    self.columnsPerPoint = columnsPerPoint
    guard let columnsPerPoint else {
      points = first..<count
      columns = points.isEmpty ? 0 : width
      return
    }
    let most = (width + columnsPerPoint - 1) / columnsPerPoint
    points = first..<min(count, first + most)
    columns = min(width, points.count * columnsPerPoint)
  }

  /// The points that a column stands for, at least one.
  func points(inColumn column: Int) -> Range<Int> {
    if let columnsPerPoint { return points(inPart: column / columnsPerPoint, of: points.count) }
    return points(inPart: column, of: columns)
  }

  /// The points of one of so many equal parts, at least one.
  func points(inPart part: Int, of parts: Int) -> Range<Int> {
    let start = points.lowerBound + part * points.count / parts
    let end = points.lowerBound + (part + 1) * points.count / parts
    return start..<max(start + 1, end)
  }
}
