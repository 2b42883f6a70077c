/// By how much players turn the frame, clockwise; where it is mirrored, left and right are
/// exchanged before.
public enum Rotation: String, Hashable, Sendable, CaseIterable, Codable {
  case none, rotate90, rotate180, rotate270
  case mirror, mirrorRotate90, mirrorRotate180, mirrorRotate270
}

/// How a frame is rotated or mirrored: one of the eight ways to lay it on its own shape.
public struct FrameOrientation: Hashable, Sendable {
  /// Whether rows become columns.
  public var transposes: Bool
  /// Whether the source is read from right to left.
  public var reversesColumns: Bool
  /// Whether the source is read from bottom to top.
  public var reversesRows: Bool

  /// An orientation: the source is read backwards where that is said, then rows become columns.
  public init(transposes: Bool = false, reversesColumns: Bool = false, reversesRows: Bool = false) {
    self.transposes = transposes
    self.reversesColumns = reversesColumns
    self.reversesRows = reversesRows
  }

  /// The frame as it is.
  public static let none = FrameOrientation()
  /// A quarter clockwise.
  public static let clockwise = FrameOrientation(transposes: true, reversesRows: true)
  /// A half.
  public static let upsideDown = FrameOrientation(reversesColumns: true, reversesRows: true)
  /// A quarter counterclockwise.
  public static let counterclockwise = FrameOrientation(transposes: true, reversesColumns: true)
}
