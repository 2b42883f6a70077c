/// By how much players turn the frame, clockwise; where it is mirrored, left and right are
/// exchanged before.
public enum Rotation: String, Hashable, Sendable, CaseIterable, Codable {
  case none, rotate90, rotate180, rotate270
  case mirror, mirrorRotate90, mirrorRotate180, mirrorRotate270
}

/// How a frame is turned or mirrored: one of the eight ways to lay it on its own shape.
public struct PictureTurn: Hashable, Sendable {
  /// Whether rows become columns.
  public var transposes: Bool
  /// Whether the source is read from right to left.
  public var reversesColumns: Bool
  /// Whether the source is read from bottom to top.
  public var reversesRows: Bool

  /// A turn: the source is read backwards where that is said, then rows become columns.
  public init(transposes: Bool = false, reversesColumns: Bool = false, reversesRows: Bool = false) {
    self.transposes = transposes
    self.reversesColumns = reversesColumns
    self.reversesRows = reversesRows
  }

  /// The frame as it is.
  public static let none = PictureTurn()
  /// A quarter clockwise.
  public static let clockwise = PictureTurn(transposes: true, reversesRows: true)
  /// A half.
  public static let upsideDown = PictureTurn(reversesColumns: true, reversesRows: true)
  /// A quarter counterclockwise.
  public static let counterclockwise = PictureTurn(transposes: true, reversesColumns: true)
}
