import GStreamer
import Kernels

/// A part of a frame, in pixels.
public struct PictureRect: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int

  /// A part of a frame.
  public init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// Where the pixels of a plane's rows and columns come from, in bytes of the source.
struct PixelStep {
  var start: Int
  var column: Int
  var row: Int
}

extension VideoFrame {
  /// Copies a part of another frame of the same pixel format to a place in this one. What is
  /// outside of one of them isn't copied.
  ///
  /// Where chroma has half of the columns or rows, both places are rounded down to even pixels, so
  /// that luma and chroma stay together.
  public mutating func copy(
    _ part: PictureRect, of picture: borrowing SampleBuffer, x: Int, y: Int
  ) throws(NodeError) {
    guard case .video(let source) = picture.format.format,
      source.pixelFormat == format.pixelFormat
    else { throw .otherShape(picture.format.format, format) }
    guard let placed = Placement(part, of: source, in: format, x: x, y: y) else { return }
    for plane in 0..<planeCount {
      let (dx, dy) = format.pixelFormat.subsampling(ofPlane: plane)
      let bytes = format.plane(plane).bytesPerPixel
      let (left, top) = (placed.from.x / dx, placed.from.y / dy)
      let target = PictureRect(
        x: placed.to.x / dx, y: placed.to.y / dy, width: (placed.from.width + dx - 1) / dx,
        height: (placed.from.height + dy - 1) / dy)
      try copy(plane, of: picture, to: target) { stride in
        PixelStep(start: top * stride + left * bytes, column: bytes, row: stride)
      }
    }
  }

  /// Mixes a part of another frame of the same pixel format into this one, at a place: `weight`
  /// 256ths of it and the rest of what there was. Places are as those of ``copy(_:of:x:y:)``.
  public mutating func blend(
    _ part: PictureRect, of picture: borrowing SampleBuffer, x: Int, y: Int, weight: Int
  ) throws(NodeError) {
    guard case .video(let source) = picture.format.format,
      source.pixelFormat == format.pixelFormat,
      let layout = picture.planeLayout,
      let map = BufferMap(picture.buffer)
    else { throw .otherShape(picture.format.format, format) }
    guard let placed = Placement(part, of: source, in: format, x: x, y: y) else { return }
    for index in 0..<planeCount {
      let (dx, dy) = format.pixelFormat.subsampling(ofPlane: index)
      let bytes = format.plane(index).bytesPerPixel
      let count = (placed.from.width + dx - 1) / dx * bytes
      let (from, to) = (layout.strides[index], bytesPerRow(ofPlane: index))
      var target = plane(index)
      for row in 0..<(placed.from.height + dy - 1) / dy {
        let start = layout.offsets[index] + (placed.from.y / dy + row) * from
        let source = map.span(
          of: UInt8.self, from: start + placed.from.x / dx * bytes, count: count)
        Self.mix(
          source, into: &target, at: (placed.to.y / dy + row) * to + placed.to.x / dx * bytes,
          weight: UInt16(clamping: min(weight, 256)))
      }
    }
  }

  private static func mix(
    _ source: Span<UInt8>, into target: inout MutableSpan<UInt8>, at start: Int, weight: UInt16
  ) {
    let (count, rest) = (source.count, 256 - weight)
    guard start >= 0, start + count <= target.count else { return }
    for index in 0..<count {
      let mixed = UInt16(target[start &+ index]) &* rest &+ UInt16(source[index]) &* weight
      target[start &+ index] = UInt8(truncatingIfNeeded: (mixed &+ 128) &>> 8)
    }
  }

  /// Copies pixels of a plane, to all of this frame's plane where no part of it is named.
  mutating func copy(
    _ index: Int, of picture: borrowing SampleBuffer, to rect: PictureRect? = nil,
    step: (_ bytesPerRow: Int) -> PixelStep
  ) throws(NodeError) {
    guard case .video(let video) = picture.format.format,
      let layout = picture.planeLayout,
      let map = BufferMap(picture.buffer)
    else { throw .unmappable }
    let size = format.plane(index)
    let rect = rect ?? PictureRect(width: size.width, height: size.height)
    let stride = layout.strides[index]
    let rows = video.pixelFormat.rows(ofPlane: index, height: video.height)
    let source = map.span(of: UInt8.self, from: layout.offsets[index], count: rows * stride)
    let step = step(stride)
    let move = PixelMove(
      width: rect.width, height: rect.height, pixelBytes: size.bytesPerPixel, start: step.start,
      columnStep: step.column, rowStep: step.row)
    let bytesPerRow = bytesPerRow(ofPlane: index)
    var target = plane(index)
    guard
      move.run(
        from: source, to: &target, at: rect.y * bytesPerRow + rect.x * size.bytesPerPixel,
        bytesPerRow: bytesPerRow)
    else {
      throw NodeError(
        "a frame has less memory than its format says", remedy: "look at where it comes from")
    }
  }
}

/// A part of a frame and its place in another, both cut to what there is.
private struct Placement {
  var from: PictureRect
  var to: (x: Int, y: Int)

  init?(_ part: PictureRect, of source: VideoFormat, in target: VideoFormat, x: Int, y: Int) {
    let (dx, dy) = source.pixelFormat.subsampling
    // Down to even, for numbers below zero too.
    var (part, x, y) = (part, x - x.modulo(dx), y - y.modulo(dy))
    part.x -= part.x.modulo(dx)
    part.y -= part.y.modulo(dy)
    let left = max(0, -part.x, -x)
    let top = max(0, -part.y, -y)
    part.x += left
    part.y += top
    part.width = min(part.width - left, source.width - part.x, target.width - x - left)
    part.height = min(part.height - top, source.height - part.y, target.height - y - top)
    guard part.width > 0, part.height > 0 else { return nil }
    (from, to) = (part, (x + left, y + top))
  }
}

extension Int {
  fileprivate func modulo(_ step: Int) -> Int { (self % step + step) % step }
}

extension PixelFormat {
  /// How many pixels, across and down, share the values of one place in the coarsest plane: 2 and 2
  /// for 4:2:0.
  public var subsampling: (across: Int, down: Int) { subsampling(ofPlane: planeCount - 1) }

  /// How many pixels, across and down, one place of a plane stands for.
  public func subsampling(ofPlane plane: Int) -> (across: Int, down: Int) {
    switch self {
    case .i420, .nv12: plane == 0 ? (1, 1) : (2, 2)
    case .yuy2: (2, 1)
    case .bgra, .rgba, .gray8: (1, 1)
    }
  }
}
