extension VideoFrame {
  /// Fills the frame with another frame of the same pixel format, turned; that of a frame of the
  /// other's width and height, exchanged where the orientation transposes.
  ///
  /// Each plane is turned as it is. Where a side of a 4:2:0 frame is odd, chroma that is read
  /// backwards along it is a pixel off, as in other programs.
  public mutating func copy(_ picture: borrowing SampleBuffer, turned orientation: FrameOrientation)
    throws(NodeError)
  {
    guard case .video(let source) = picture.format.format,
      source.pixelFormat == format.pixelFormat,
      (source.width, source.height) == (orientation.transposes ? (height, width) : (width, height))
    else { throw .otherShape(picture.format.format, format) }
    for plane in 0..<planeCount {
      let size = format.plane(plane)
      let old = source.plane(plane)
      try copy(plane, of: picture) { stride in
        let bytes = size.bytesPerPixel
        let column = orientation.reversesColumns ? -bytes : bytes
        let row = orientation.reversesRows ? -stride : stride
        return PixelStep(
          start: (orientation.reversesColumns ? (old.width - 1) * bytes : 0)
            + (orientation.reversesRows ? (old.height - 1) * stride : 0),
          column: orientation.transposes ? row : column, row: orientation.transposes ? column : row)
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
