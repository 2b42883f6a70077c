@testable import Nodes

/// The columns and rows of a picture that hold something.
struct Ink: Equatable {
  var columns: Range<Int>
  var rows: Range<Int>

  /// `nil` where no pixel holds anything.
  init?(width: Int, height: Int, isInked: (_ index: Int) -> Bool) {
    var (left, right, top, bottom) = (width, -1, height, -1)
    for row in 0..<height {
      for column in 0..<width where isInked(row * width + column) {
        (left, right) = (min(left, column), max(right, column))
        (top, bottom) = (min(top, row), max(bottom, row))
      }
    }
    guard right >= 0 else { return nil }
    (columns, rows) = (left..<right + 1, top..<bottom + 1)
  }

  /// What isn't transparent in a picture.
  init?(_ picture: Picture) {
    self.init(width: picture.width, height: picture.height) { picture.pixels[$0 * 4 + 3] != 0 }
  }
}
