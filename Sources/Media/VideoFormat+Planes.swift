extension VideoFormat {
  /// The position of one plane in a frame of the usual layout.
  public struct Plane: Hashable, Sendable {
    /// Pixels in a row of the plane; of a chroma plane, half of the frame's, rounded up.
    public var width: Int
    /// Rows of the plane.
    public var height: Int
    /// Bytes of one of the plane's pixels: 2 for a pair of chroma values.
    public var bytesPerPixel: Int
    /// Bytes from one row to the next; the row's own come first.
    public var bytesPerRow: Int
    /// Bytes from the start of the frame to the plane.
    public var offset: Int
  }

  /// The planes of a frame, as GStreamer lays them out where a buffer doesn't say otherwise
  /// (`gst_video_info_set_format`): rows padded to 4 bytes, and room for an even number of rows
  /// where chroma has half of them.
  public var planes: [Plane] { (0..<pixelFormat.planeCount).map(plane) }

  /// One plane, counted from 0 to one below ``PixelFormat/planeCount``.
  public func plane(_ index: Int) -> Plane {
    let (width, height) = (Self.bounded(width), Self.bounded(height))
    switch pixelFormat {
    case .bgra, .rgba: return packed(4, width, height)
    case .yuy2: return packed(2, width, height)
    case .gray8: return packed(1, width, height)
    case .i420, .nv12:
      let luma = packed(1, width, height)
      return index == 0 ? luma : chroma(index, width, height, lumaRow: luma.bytesPerRow)
    }
  }

  /// Bytes of a whole frame.
  public var frameSize: Int {
    let last = plane(pixelFormat.planeCount - 1)
    return last.offset + last.bytesPerRow * last.height
  }

  private func packed(_ bytesPerPixel: Int, _ width: Int, _ height: Int) -> Plane {
    Plane(
      width: width, height: height, bytesPerPixel: bytesPerPixel,
      bytesPerRow: (width * bytesPerPixel).roundedUp(to: 4), offset: 0)
  }

  private func chroma(_ index: Int, _ width: Int, _ height: Int, lumaRow: Int) -> Plane {
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    let bytesPerPixel = pixelFormat == .nv12 ? 2 : 1
    let bytesPerRow = pixelFormat == .nv12 ? lumaRow : columns.roundedUp(to: 4)
    return Plane(
      width: columns, height: rows, bytesPerPixel: bytesPerPixel, bytesPerRow: bytesPerRow,
      offset: lumaRow * height.roundedUp(to: 2) + (index - 1) * bytesPerRow * rows)
  }

  /// Caps hold sides up to 2^31, of which the product overflows; no memory holds more than this.
  private static func bounded(_ side: Int) -> Int { min(max(side, 0), 1 << 24) }
}

extension Int {
  fileprivate func roundedUp(to multiple: Int) -> Int {
    (self + multiple - 1) / multiple * multiple
  }
}
