/// The position of a picture in a frame.
///
/// A fraction of the space that the picture leaves: 0 is flush with the left or the upper edge, 0.5
/// in the middle, and 1 flush with the right or the lower one; so the point at this fraction of the
/// picture is at the same fraction of the frame. Offsets in pixels are added.
struct Placement: Hashable, Sendable {
  /// The fraction from left to right.
  var x = 0.5
  /// The fraction from top to bottom.
  var y = 0.5
  /// Pixels to the right.
  var offsetX = 0
  /// Pixels down.
  var offsetY = 0

  /// The upper left corner of a picture in a frame, in pixels; beyond the frame where that is so.
  func corner(of size: (width: Int, height: Int), in frame: (width: Int, height: Int)) -> Corner {
    Corner(
      x: Int((x * Double(frame.width - size.width)).rounded()) + offsetX,
      y: Int((y * Double(frame.height - size.height)).rounded()) + offsetY)
  }
}

/// The place of a picture's upper left pixel in a frame.
struct Corner: Hashable, Sendable {
  var x: Int
  var y: Int
}
