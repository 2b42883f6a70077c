import GStreamer

/// The format of samples on a wire, shared by all of them until it changes.
public final class FormatDescription: Sendable, CustomStringConvertible {
  /// The format.
  public let format: MediaFormat
  package let caps: Caps
  package let videoLayout: VideoLayout?

  package init(caps: Caps) {
    self.caps = caps
    format = MediaFormat(capsText: caps.description)
    videoLayout = caps.videoLayout
  }

  /// The description of a format.
  public convenience init(_ format: MediaFormat) throws(NodeError) {
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
