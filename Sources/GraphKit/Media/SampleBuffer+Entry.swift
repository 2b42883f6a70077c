import GStreamer
import Kernels

/// How a program's sample becomes one of a stream: what enters is what the sample's public
/// properties say, and nothing else. A sample that another pipeline gave carries more: the origin
/// of its time, what to clip, flags and offsets of the elements that made it.
extension SampleBuffer {
  /// The sample's buffer as one of a stream of `input`, whose time begins at the format's
  /// ``FormatDescription/entryOrigin``. Throws where the sample can't be one of that stream. The
  /// memory is copied only where its samples begin at an address that they can't be read from.
  consuming func entering(_ input: FormatDescription) throws(NodeError) -> Buffer {
    try checkFormat(input)
    try checkTimes(input)
    setOrigin(input.entryOrigin)
    switch format.format {
    case .audio(let audio):
      if byteCount % format.unit != 0 { throw NodeError.partOfFrame(self) }
      buffer.keepStated(audio.layout == .planar ? .audio : .none)
      alignFrames(of: audio)
    case .video(let video):
      buffer.keepStated(.video)
      try checkPlanes(of: video, input)
    default: buffer.keepStated(.none)
    }
    format = input
    return intoBuffer()
  }

  /// Throws where the sample can't be one of a stream of `input`, whatever its time is.
  borrowing func checkKind(_ input: FormatDescription) throws(NodeError) {
    try checkFormat(input)
    switch format.format {
    case .audio: if byteCount % format.unit != 0 { throw NodeError.partOfFrame(self) }
    case .video(let video):
      guard let layout = buffer.videoLayout ?? input.videoLayout, video.fits(layout, in: byteCount)
      else { throw NodeError.partOfPlanes(self, video) }
    default: break
    }
  }

  private borrowing func checkFormat(_ input: FormatDescription) throws(NodeError) {
    if format === input { return }
    guard input.format.takes(format.format) else {
      let areAlike = "\(format)" == "\(input)"
      let (came, wanted) =
        areAlike ? ("`\(format.capsText)`", "`\(input.capsText)`") : ("\(format)", "\(input)")
      throw NodeError(
        "a sample of \(came) for an input of \(wanted)",
        remedy: "give samples of the format that the appInput node declares")
    }
    guard case .encoded = format.format else { return }
    guard format.caps.intersects(input.caps) else {
      throw NodeError(
        "a sample of `\(format.capsText)` for an input of `\(input.capsText)`",
        remedy: "set `caps` of the appInput node to those of the samples")
    }
  }

  borrowing func checkTimes(_ input: FormatDescription) throws(NodeError) {
    try check(presentationTime, from: .zero)
    try check(decodeTime, from: MediaTime(nanoseconds: -input.entryOrigin))
  }

  private borrowing func check(_ time: MediaTime, from first: MediaTime) throws(NodeError) {
    let clock = time.nanoseconds ?? (time < .zero ? 0 : .max)
    guard time == .invalid || time.isNumeric && clock < Self.latest else {
      throw NodeError(
        "a sample at \(time.seconds) s, which is no time of a stream",
        remedy: "give it a time in seconds from the stream's beginning, or an invalid one where it "
          + "follows the last")
    }
    guard time.isNumeric, time < first else { return }
    throw NodeError(
      "a sample at \(time.seconds) s, before the stream's beginning at \(first.seconds) s",
      remedy: "leave it out, or give it and those after it later times")
  }

  /// Two hundred years, in nanoseconds: times may be counted from 1900, and a clock counts to 292.
  private static let latest: Int64 = 200 * 365 * 86_400 * 1_000_000_000

  private mutating func checkPlanes(of video: VideoFormat, _ input: FormatDescription)
    throws(NodeError)
  {
    guard let layout = buffer.videoLayout ?? input.videoLayout,
      video.fits(layout, in: byteCount), buffer.restateVideoLayout(as: input.caps)
    else { throw NodeError.partOfPlanes(self, video) }
  }

  /// Throws where a frame of raw video that is smaller than the usual layout lacks bytes of its own.
  borrowing func checkSize() throws(NodeError) {
    guard case .video(let video) = format.format else { return }
    guard let layout = buffer.videoLayout, video.fits(layout, in: byteCount) else {
      throw NodeError.partOfPlanes(self, video)
    }
  }
}

extension NodeError {
  /// Raw audio has whole frames in each sample.
  static func partOfFrame(_ sample: borrowing SampleBuffer) -> NodeError {
    NodeError(
      "a sample of \(sample.byteCount) bytes, where each frame of \(sample.format) has "
        + "\(sample.format.unit)",
      remedy: "give whole frames")
  }

  /// Raw video has all planes of a frame in each sample.
  fileprivate static func partOfPlanes(
    _ sample: borrowing SampleBuffer, _ video: VideoFormat
  ) -> NodeError {
    NodeError(
      "a sample of \(sample.byteCount) bytes, which don't hold the planes of \(video)",
      remedy: "give whole frames, of \(video.frameSize) bytes in the usual layout")
  }
}

extension FormatDescription {
  /// Where time zero is in the buffers of a stream of this format that enters a graph. The first
  /// packets of encoded video may be decoded before that: their buffers have times all the same,
  /// which can't be negative.
  var entryOrigin: Int64 { format.kind == .encodedVideo ? 3_600_000_000_000_000 : 0 }
}

extension VideoFormat {
  /// Whether so many bytes hold a frame whose planes are laid out so.
  fileprivate func fits(_ layout: VideoLayout, in byteCount: Int) -> Bool {
    guard layout.planeCount == pixelFormat.planeCount else { return false }
    return (0..<layout.planeCount).allSatisfy { plane in
      let rows = pixelFormat.rows(ofPlane: plane, height: height)
      let used = pixelFormat.usedBytesPerRow(ofPlane: plane, width: width)
      let (offset, stride) = (layout.offsets[plane], layout.strides[plane])
      guard rows > 0, offset >= 0, offset <= byteCount, stride >= used else { return false }
      let last = stride.multipliedReportingOverflow(by: rows - 1)
      return !last.overflow && last.partialValue <= byteCount - offset
        && used <= byteCount - offset - last.partialValue
    }
  }
}
