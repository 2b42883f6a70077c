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
    // A program may describe a format before any pipeline has started the library, without which
    // there are no caps.
    Library.start(plugins: [])
    guard let caps = Caps(format.capsText) else {
      throw NodeError(
        "\(format) has no caps", remedy: "give a format that GStreamer has a name for")
    }
    self.init(caps: caps)
  }

  public var description: String { "\(format)" }
}
