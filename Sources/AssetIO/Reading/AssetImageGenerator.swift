public import GraphKit

/// Makes single frames of a file's video, as AVFoundation's `AVAssetImageGenerator` does.
///
/// ```swift
/// let generator = try AssetImageGenerator(asset)
/// let poster = try await generator.image(at: MediaTime(value: 5, timescale: 1))
/// ```
///
/// Safe to use from several tasks: each call reads by itself.
public struct AssetImageGenerator: Sendable {
  /// A frame, and when it is.
  public struct Image: Sendable {
    /// The time that was asked for.
    public let requestedTime: MediaTime
    /// The frame's own time, or that which was asked for where it is on screen then. Where frames come at
    /// a steady rate it is exact, and that of ``frame`` rounded to the nanosecond.
    public let actualTime: MediaTime
    /// The frame.
    public let frame: ReadySampleBuffer
  }

  /// What is read.
  public let asset: MediaAsset
  /// How pixels are stored.
  public var pixelFormat = PixelFormat.bgra
  /// The greatest width and height, in pixels: larger frames are made smaller, and keep their shape.
  /// None is made smaller than 2 x 2.
  public var maximumSize: (width: Int, height: Int)?
  /// Whether frames are turned upright, as their file says.
  public var appliesPreferredTrackTransform = true
  /// How much earlier than a time its frame may be. Where a key frame is near enough, the nearest is
  /// given, and no other is decoded: with infinite times every frame is a key frame. Zero, the default,
  /// is for the frame that is on screen.
  ///
  /// Movies say in their index where their key frames are. Of other files, and of movies in fragments,
  /// the frame is always that on screen.
  public var requestedTimeToleranceBefore = MediaTime.zero
  /// How much later than a time its frame may be; as ``requestedTimeToleranceBefore``.
  public var requestedTimeToleranceAfter = MediaTime.zero
  private let track: AssetTrack

  /// A generator for a track of video; by default for the first. Throws where there is none.
  public init(_ asset: MediaAsset, track: AssetTrack? = nil) throws(NodeError) {
    guard let track = track ?? asset.tracks(.video).first, track.kind == .video else {
      throw NodeError("`\(asset.path)` has no video", remedy: "give a file that has")
    }
    (self.asset, self.track) = (asset, track)
  }

  /// Images as they are read.
  ///
  /// One task at a time takes them: of those that haven't been taken yet, a few frames are in memory.
  public struct Images: AsyncSequence, Sendable {
    let reading: ImageReading

    /// The images from here on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: reading) }

    /// Hands images out.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let reading: ImageReading

      /// The next image; `nil` at the end, and after an error. Throws as
      /// ``AssetImageGenerator/image(at:)`` does.
      public mutating func next() async throws -> Image? { try await reading.next() }
    }
  }

  /// The frame that is on screen at a time, to the frame. Where video begins less than a second
  /// after its file, its first frame is given for the times before it, too.
  ///
  /// Throws a `NodeError` where the file has none then, why it can't be read or decoded, and
  /// `CancellationError` where the task was cancelled.
  public func image(at time: MediaTime) async throws -> Image {
    guard let image = try await ImageReading(self, [time]).next() else { throw missing(time) }
    return image
  }

  /// The frames that are on screen at some times, in the order of the times: those of up to ten seconds
  /// are decoded in one pass. Ends with an error as ``image(at:)`` throws it.
  public func images(for times: [MediaTime]) -> Images {
    Images(reading: ImageReading(self, times))
  }

  /// The key frames to choose from; `nil` where only the frame on screen will do.
  var nearKeyFrames: MovieKeyFrames? {
    guard requestedTimeToleranceBefore > .zero || requestedTimeToleranceAfter > .zero else {
      return nil
    }
    return track.identifier.flatMap { MovieKeyFrames(of: asset.path, track: $0) }
  }

  /// Throws where no frame can be on screen at a time.
  func check(_ time: MediaTime) throws(NodeError) {
    if time < .zero || track.end.isNumeric && time >= track.end { throw missing(time) }
  }

  /// Reads the frames from a time on.
  func reader(from time: MediaTime) throws -> (AssetReader, SampleProvider) {
    let settings = try settings
    let range = MediaTimeRange(start: time, duration: .positiveInfinity)
    let reader = try AssetReader(asset, timeRange: range)
    let frames = try reader.outputProvider(for: .video(track, settings))
    try reader.start()
    return (reader, frames)
  }

  /// When a frame begins that was found at a time: that is rounded, and the rate may tell what it was.
  func exact(_ time: MediaTime) -> MediaTime {
    guard let rate = track.frameRate, rate.numerator > 0 else { return time }
    let frame = (time.seconds * Double(rate.numerator) / Double(rate.denominator)).rounded()
    guard let number = Int(exactly: frame) else { return time }
    let exact = MediaTime(frame: number, at: rate)
    return exact.isSameMoment(as: time) ? exact : time
  }

  private var settings: AssetReaderOutput.VideoSettings {
    get throws(NodeError) {
      try checkSize()
      return scaledSettings
    }
  }

  private func checkSize() throws(NodeError) {
    guard let limit = maximumSize, limit.width < 1 || limit.height < 1 else { return }
    throw NodeError(
      "images of at most \(limit.width) x \(limit.height) pixels",
      remedy: "give `maximumSize` a width and a height of at least 1, or `nil` for any")
  }

  private var scaledSettings: AssetReaderOutput.VideoSettings {
    var settings = AssetReaderOutput.VideoSettings(
      pixelFormat, isUpright: appliesPreferredTrackTransform)
    guard let limit = maximumSize, var (width, height) = track.naturalSize else { return settings }
    if settings.isUpright, track.rotation.orientation.transposes { swap(&width, &height) }
    let factor = min(1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
    guard factor < 1 else { return settings }
    settings.width = max(2, Int((Double(width) * factor / 2 + 1e-9).rounded(.down)) * 2)
    settings.height = max(2, Int((Double(height) * factor / 2 + 1e-9).rounded(.down)) * 2)
    return settings
  }

  /// There is no frame at a time: the first is later, or all are over.
  func missing(_ time: MediaTime, first: MediaTime? = nil) -> NodeError {
    let remedy =
      if let first {
        "ask for a time from its first frame at \(first.seconds) s on"
      } else if track.end.isNumeric {
        "ask for a time before its end at \(track.end.seconds) s"
      } else { "ask for an earlier time" }
    return NodeError("`\(asset.path)` shows no frame at \(time.seconds) s", remedy: remedy)
  }
}
