/// How a picture is turned or mirrored: one of the eight ways to lay it on its own shape.
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

  /// The picture as it is.
  public static let none = PictureTurn()
  /// A quarter clockwise.
  public static let clockwise = PictureTurn(transposes: true, reversesRows: true)
  /// A half.
  public static let upsideDown = PictureTurn(reversesColumns: true, reversesRows: true)
  /// A quarter counterclockwise.
  public static let counterclockwise = PictureTurn(transposes: true, reversesColumns: true)
}

extension VideoFrame {
  /// Fills the frame with another picture of the same pixel format, turned; that of a frame of
  /// the other's width and height, exchanged where the turn transposes.
  ///
  /// Each plane is turned as it is. Where a side of a 4:2:0 picture is odd, chroma that is read
  /// backwards along it lies a pixel off, as in other programs.
  public mutating func copy(_ picture: borrowing SampleBuffer, turned turn: PictureTurn)
    throws(NodeError)
  {
    guard case .video(let source) = picture.format.format,
      source.pixelFormat == format.pixelFormat,
      (source.width, source.height) == (turn.transposes ? (height, width) : (width, height))
    else { throw .otherShape(picture.format.format, format) }
    for plane in 0..<planeCount {
      let size = format.plane(plane)
      let old = source.plane(plane)
      try copy(plane, of: picture) { stride in
        let bytes = size.bytesPerPixel
        let column = turn.reversesColumns ? -bytes : bytes
        let row = turn.reversesRows ? -stride : stride
        return PixelStep(
          start: (turn.reversesColumns ? (old.width - 1) * bytes : 0)
            + (turn.reversesRows ? (old.height - 1) * stride : 0),
          column: turn.transposes ? row : column, row: turn.transposes ? column : row)
      }
    }
  }
}

extension NodeError {
  static func otherShape(_ found: MediaFormat, _ wanted: VideoFormat) -> NodeError {
    NodeError(
      "\(found) doesn't fit into a frame of \(MediaFormat.video(wanted))",
      remedy: "let the node announce the format of the frames that it sends")
  }
}
