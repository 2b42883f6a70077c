import GStreamer
import Kernels

/// The format of samples on a wire, shared by all of them until it changes.
public final class FormatDescription: Sendable, CustomStringConvertible {
  /// The format.
  public let format: MediaFormat
  package let caps: Caps
  package let videoLayout: VideoLayout?
  /// Of how many bytes samples have whole multiples.
  let unit: Int
  /// Bytes of a frame of raw video in the usual layout; 0 for anything else.
  let frameSize: Int
  /// Frames of raw video for nodes that write to a shared one: those are reused, where fresh memory
  /// of their size would have to be cleared by the kernel each time.
  private let frames: Lazy<BufferPool?>

  package init(caps: Caps) {
    self.caps = caps
    let format = MediaFormat(capsText: caps.description)
    self.format = format
    videoLayout = caps.videoLayout
    unit = if case .audio(let audio) = format { max(1, audio.bytesPerFrame) } else { 1 }
    frameSize =
      if case .video(let video) = format, videoLayout != nil { video.frameSize } else { 0 }
    frames = Lazy {
      guard case .video(let video) = format else { return nil }
      return BufferPool(caps: caps, size: video.frameSize, limit: nil)
    }
  }

  /// A frame of raw video, its planes where the format has them; `nil` where there is none.
  func takeFrame() -> Buffer? { frames.value?.take() }

  /// The description of a format. Throws where no stream can have it: a frame without pixels, say.
  public convenience init(_ format: MediaFormat) throws(NodeError) {
    try format.check()
    guard let caps = Caps(format.capsText) else {
      throw NodeError(
        "\(format) has no caps", remedy: "give a format that GStreamer has a name for")
    }
    self.init(caps: caps)
  }

  /// The description of caps as GStreamer prints them, with all that ``format`` has no words for:
  /// a codec's header, say.
  public convenience init(capsText: String) throws(NodeError) {
    guard let caps = Caps(capsText) else {
      throw NodeError(
        "`\(capsText)` is no caps", remedy: "write them as `gst-launch-1.0` takes them")
    }
    self.init(caps: caps)
  }

  /// The exact caps, as GStreamer prints them.
  public var capsText: String { caps.description }

  public var description: String { "\(format)" }
}

extension MediaFormat {
  /// Throws where a size of it is none.
  fileprivate func check() throws(NodeError) {
    switch self {
    case .video(let video):
      let edges = 1...65_536
      guard edges.contains(video.width), edges.contains(video.height) else {
        throw NodeError(
          "frames of \(video.width)x\(video.height) pixels",
          remedy: "give a width and a height from 1 to \(edges.upperBound)")
      }
    case .audio(let audio):
      guard audio.channels > 0, audio.sampleRate > 0 else {
        throw NodeError(
          "audio of \(audio.channels) channels at \(audio.sampleRate) Hz",
          remedy: "give at least one channel, and a sample rate above 0")
      }
    default: return
    }
  }
}
