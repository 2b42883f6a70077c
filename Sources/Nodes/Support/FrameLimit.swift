import GraphKit

/// How large frames may be: beyond that, GStreamer's decoders and converters (1.22) count the bytes of a
/// frame past 32 bits, and end the process. The limit is ffmpeg's (`av_image_check_size`).
enum FrameLimit {
  private static let mostPixels = 1 << 28
  private static let border = 128

  /// Why frames of a size can't be decoded; `nil` where they can.
  static func problem(_ width: Int?, _ height: Int?) -> NodeError? {
    guard let width, let height else { return nil }
    let (pixels, isTooMuch) = (width &+ border).multipliedReportingOverflow(by: height &+ border)
    guard isTooMuch || pixels >= mostPixels else { return nil }
    return NodeError(
      "frames of \(width)x\(height) are too large to be decoded",
      remedy: "make them smaller first: at most \(mostPixels / 1_000_000) million pixels")
  }
}

extension PadFilter {
  /// Ends the run at frames that are too large to be decoded.
  static let limitedFrames = PadFilter.checked { format in
    FrameLimit.problem(format.frameSize?.width, format.frameSize?.height)
  }
}
