import GraphKit

/// Pictures of one input in the format and at the size that those of another need.
///
/// A picture that is asked for again is made once.
struct FittedPictures: Sendable {
  private var frames: ReshapedFrames?
  private var converter: PictureConverter?
  private var from: FormatDescription?
  private var to: FormatDescription?
  private var last: (old: HeldFrame, new: HeldFrame)?

  /// A picture of `width` by `height` pixels in the format of `target`, with bars where it is shown
  /// in another shape and `stretches` isn't said.
  mutating func picture(
    _ held: HeldFrame, like target: FormatDescription, width: Int, height: Int,
    stretches: Bool
  ) throws -> HeldFrame {
    guard case .video(let video) = held.sample.format.format,
      case .video(let wanted) = target.format
    else {
      throw NodeError("\(held.sample.format) is not raw video", remedy: "wire raw video here")
    }
    if video.pixelFormat == wanted.pixelFormat, video.colorimetry == wanted.colorimetry,
      (video.width, video.height) == (width, height),
      stretches || video.pixelAspectRatio == wanted.pixelAspectRatio
    {
      return held
    }
    try prepare(held.sample.format, video, target, width, height, stretches)
    if let last, last.old === held { return last.new }
    guard let frames, let converter else { return held }
    var result = try frames.take(like: held.sample)
    try converter.convert(held.sample, into: &result)
    let new = HeldFrame(result)
    last = (held, new)
    return new
  }

  private mutating func prepare(
    _ from: FormatDescription, _ video: VideoFormat, _ to: FormatDescription, _ width: Int,
    _ height: Int, _ stretches: Bool
  ) throws {
    if let frames, self.from === from, self.to === to,
      (frames.video.width, frames.video.height) == (width, height)
    {
      return
    }
    let made = try ReshapedFrames(of: to, width: width, height: height)
    let shape = video.pixelShape(in: made.video)
    let whole = PictureRect(
      width: max(1, Int((Double(video.width) * shape).rounded())), height: video.height)
    let all = PictureRect(width: width, height: height)
    converter = try PictureConverter(
      from: from, to: made.format,
      place: stretches ? nil : all.part(ofShape: whole, made.video.pixelFormat))
    (frames, self.from, self.to, last) = (made, from, to, nil)
  }
}
