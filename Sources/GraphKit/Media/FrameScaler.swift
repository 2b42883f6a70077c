import GStreamer
import GraphKitSystem

/// Makes frames of one pixel format, no larger than a limit, of frames of any.
///
/// Their shape stays as it is, with pixels made square, and none grows. Safe to use from any
/// thread; calls take turns.
public final class FrameScaler: Sendable {
  private struct State {
    var source: FormatDescription?
    var target: FormatDescription?
    /// `nil` where frames are what they are to be.
    var converter: FrameConverter?
  }

  private let pixelFormat: PixelFormat
  private let width: Int?
  private let height: Int?
  private let copies: Bool
  private let state = Monitor(State())

  /// A scaler to a pixel format, of at most a width and a height. `copies` has it lay out every
  /// frame anew, also one that is as it is to be.
  public init(_ pixelFormat: PixelFormat, width: Int?, height: Int?, copies: Bool = false) {
    self.pixelFormat = pixelFormat
    self.width = width
    self.height = height
    self.copies = copies
  }

  /// A frame as it is to be, with the same times.
  public func frame(of sample: borrowing SampleBuffer) throws(NodeError) -> SampleBuffer {
    try state.withLock { state throws(NodeError) -> SampleBuffer in
      if state.source !== sample.format { state = try self.state(for: sample.format) }
      guard let converter = state.converter, let target = state.target else {
        return sample.share()
      }
      guard let buffer = converter.convert(sample.buffer) else {
        throw NodeError("a frame's memory can't be read", remedy: "convert it before")
      }
      var frame = SampleBuffer(buffer, format: target)
      frame.presentationTime = sample.presentationTime
      frame.duration = sample.duration
      return frame
    }
  }

  private func state(for source: FormatDescription) throws(NodeError) -> State {
    guard case .video(let video) = source.format else {
      throw NodeError("\(source) is not raw video", remedy: "wire raw video here", key: "in")
    }
    let square = Self.squareSize(of: video)
    let size = Self.size(square.width, square.height, width: width, height: height)
    let isSame = (video.pixelFormat, video.width, video.height) == (pixelFormat, size.0, size.1)
    if isSame, !copies { return State(source: source) }
    let target = try FormatDescription(
      .video(
        VideoFormat(pixelFormat, width: size.0, height: size.1, frameRate: video.frameRate)))
    guard let converter = FrameConverter(from: source.caps, to: target.caps) else {
      throw NodeError(
        "\(source) can't be converted to \(target)", remedy: "put a videoConvert before", key: "in")
    }
    return State(source: source, target: target, converter: converter)
  }

  /// The size with square pixels that looks the same: one side is as long as it was, and the other
  /// shorter, or as long.
  private static func squareSize(of video: VideoFormat) -> (width: Int, height: Int) {
    let shape = video.pixelShape
    if shape < 1 { return (max(1, Int((Double(video.width) * shape).rounded())), video.height) }
    return (video.width, max(1, Int((Double(video.height) / shape).rounded())))
  }

  /// The largest size of the same shape within limits; never larger than it is.
  static func size(_ width: Int, _ height: Int, width most: Int?, height highest: Int?) -> (
    Int, Int
  ) {
    let factors = [
      most.map { Double($0) / Double(max(1, width)) },
      highest.map { Double($0) / Double(max(1, height)) }, 1,
    ]
    let factor = factors.compactMap(\.self).min() ?? 1
    let scaled = { (length: Int) in max(1, Int((Double(length) * factor).rounded())) }
    return (scaled(width), scaled(height))
  }
}
