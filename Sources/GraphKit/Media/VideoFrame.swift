import GStreamer
import Kernels

/// The pixels of one sample buffer, open for change in place.
///
/// It lives no longer than the access to its sample. A plane's rows lie
/// ``bytesPerRow(ofPlane:)`` bytes apart, which may be more than they are wide.
public struct VideoFrame: ~Copyable, ~Escapable {
  private var map: MutableBufferMap
  private let layout: VideoLayout
  /// The format.
  public let format: VideoFormat
  /// When the frame is to be presented; invalid where unknown.
  public let presentationTime: MediaTime

  @_lifetime(copy map)
  init(
    _ map: consuming MutableBufferMap, layout: VideoLayout, format: VideoFormat, at time: MediaTime
  ) {
    self.layout = layout
    self.format = format
    presentationTime = time
    self.map = map
  }

  /// Width in pixels.
  public var width: Int { format.width }
  /// Height in pixels.
  public var height: Int { format.height }
  /// The number of planes.
  public var planeCount: Int { layout.planeCount }

  /// How far apart the rows of a plane are, in bytes.
  public func bytesPerRow(ofPlane plane: Int) -> Int { layout.strides[plane] }

  /// The bytes of a plane, from its first row to the end of its last.
  @_lifetime(&self)
  public mutating func plane(_ plane: Int) -> MutableSpan<UInt8> {
    let rows = format.pixelFormat.rows(ofPlane: plane, height: height)
    return map.mutableSpan(
      of: UInt8.self, from: layout.offsets[plane], count: rows * layout.strides[plane])
  }
}

extension VideoFrame {
  /// Changes every colour; `false` where the frame isn't as large as its format.
  package mutating func apply(_ change: ColorChange, as colors: ColorLayout) -> Bool {
    map.apply(change, to: layout, as: colors, width: width, height: height)
  }

  /// Becomes another frame of the same format, with every colour changed; `false` where one of them
  /// isn't as large as the format.
  mutating func apply(
    _ change: ColorChange, to other: borrowing SampleBuffer, as colors: ColorLayout
  ) -> Bool {
    guard let layout = other.planeLayout, let source = BufferMap(other.buffer) else { return false }
    return map.apply(
      change, to: self.layout, from: source, layout, as: colors, width: width, height: height)
  }
}

extension PixelFormat {
  /// Rows of a plane in a frame of some height: half of them, rounded up, for the chroma of 4:2:0.
  public func rows(ofPlane plane: Int, height: Int) -> Int {
    switch self {
    case .i420, .nv12: plane == 0 ? height : (height + 1) / 2
    case .bgra, .rgba, .yuy2, .gray8: height
    }
  }

  /// Bytes that a row of a plane uses, at least: without the padding up to the next row.
  public func usedBytesPerRow(ofPlane plane: Int, width: Int) -> Int {
    switch self {
    case .i420: plane == 0 ? width : (width + 1) / 2
    case .nv12: plane == 0 ? width : (width + 1) / 2 * 2
    case .bgra, .rgba: width * 4
    case .yuy2: (width + 1) / 2 * 4
    case .gray8: width
    }
  }
}

extension SampleBuffer {
  /// Where the planes of a frame lie; `nil` of anything else.
  var planeLayout: VideoLayout? { buffer.videoLayout ?? format.videoLayout }

  /// Opens the samples as a frame, after a copy where others hold them too.
  @_lifetime(&self)
  public mutating func videoFrame() throws(NodeError) -> VideoFrame {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    if let copy = ownCopy(of: video) { self = copy }
    return try openFrame(video)
  }

  @_lifetime(&self)
  private mutating func openFrame(_ video: VideoFormat) throws(NodeError) -> VideoFrame {
    let time = presentationTime
    guard let layout = planeLayout, let map = MutableBufferMap(&buffer) else { throw .unmappable }
    return VideoFrame(map, layout: layout, format: video, at: time)
  }

  /// A frame of the same format, times and notes with undefined pixels, where others hold this one
  /// too; `nil` where this one can be changed in place.
  func freshFrame() -> SampleBuffer? {
    guard case .video(let video) = format.format, !buffer.ownsMemory,
      byteCount >= video.frameSize, var frame = format.takeFrame()
    else { return nil }
    frame.describe(as: buffer)
    return SampleBuffer(frame, format: format, origin: origin)
  }

  /// The frame itself in memory of its own; `nil` where it has that, or isn't as large as its
  /// format.
  private func ownCopy(of video: VideoFormat) -> SampleBuffer? {
    guard var copy = freshFrame() else { return nil }
    do throws(NodeError) {
      var frame = try copy.openFrame(video)
      let whole = PictureRect(width: video.width, height: video.height)
      try frame.copy(whole, of: self, x: 0, y: 0)
    } catch { return nil }
    return copy
  }

  /// Reads a plane's bytes; `body` gets them with the distance of two rows in bytes.
  public borrowing func withPlane<Result>(
    _ plane: Int, _ body: (Span<UInt8>, _ bytesPerRow: Int) throws -> Result
  ) rethrows -> Result {
    guard case .video(let video) = format.format, let layout = planeLayout,
      let map = BufferMap(buffer)
    else { return try body(Span(), 0) }
    let rows = video.pixelFormat.rows(ofPlane: plane, height: video.height)
    let stride = layout.strides[plane]
    return try body(
      map.span(of: UInt8.self, from: layout.offsets[plane], count: rows * stride), stride)
  }
}

extension SampleBuffer {
  /// A frame whose rows lie further apart than its format asks for, as hardware makes them.
  package init(
    _ format: FormatDescription, _ video: VideoFormat, padding: Int
  ) throws(NodeError) {
    var (offsets, strides, end) = (SIMD4<Int>(), SIMD4<Int>(), 0)
    for (index, plane) in video.planes.enumerated() {
      (offsets[index], strides[index]) = (end, plane.bytesPerRow + padding)
      end += strides[index] * plane.height
    }
    self.init(byteCount: end, format: format)
    guard buffer.setVideoLayout(format.caps, offsets: offsets, strides: strides) else {
      throw .unmappable
    }
  }
}
