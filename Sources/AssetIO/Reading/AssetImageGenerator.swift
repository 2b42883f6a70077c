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
    /// The frame's own time, or that which was asked for where it is on screen then.
    public let actualTime: MediaTime
    /// The frame.
    public let frame: ReadySampleBuffer
  }

  /// What is read.
  public let asset: MediaAsset
  /// How pixels are stored.
  public var pixelFormat = PixelFormat.bgra
  /// The greatest width and height, in pixels: larger frames are made smaller, and keep their shape.
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

  /// The frame that is on screen at a time, to the frame.
  ///
  /// Throws a `NodeError` where the file has none then, why it can't be read or decoded, and
  /// `CancellationError` where the task was cancelled.
  public func image(at time: MediaTime) async throws -> Image {
    var images = images(for: [time]).makeAsyncIterator()
    let image = try await images.next()
    // The stream ends without an image then.
    try Task.checkCancellation()
    guard let image else { throw missing(time) }
    return image
  }

  /// The frames that are on screen at some times, in the order of the times: those of up to ten seconds
  /// are decoded in one pass. Ends with an error as ``image(at:)`` throws it.
  public func images(for times: [MediaTime]) -> AsyncThrowingStream<Image, any Error> {
    AsyncThrowingStream { continuation in
      let reading = Task {
        do {
          try await read(times.sorted()) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in reading.cancel() }
    }
  }

  /// How far apart times may be that one pass decodes.
  private static let passLength = MediaTime(value: 10, timescale: 1)

  private func read(_ times: [MediaTime], _ give: (Image) -> Void) async throws {
    if let odd = times.first(where: { !$0.isNumeric }) {
      throw NodeError(
        "`\(odd.seconds)` is no time of a movie", remedy: "ask for images at times that are numbers"
      )
    }
    if let keyFrames = nearKeyFrames() {
      return try await readTolerantly(times, keyFrames, give)
    }
    var rest = times[...]
    while let first = rest.first {
      let pass = rest.prefix { $0 - first <= Self.passLength }
      rest = rest.dropFirst(pass.count)
      try await readPass(Array(pass), give)
    }
  }

  /// The key frames to choose from; `nil` where only the frame on screen will do.
  private func nearKeyFrames() -> MovieKeyFrames? {
    guard requestedTimeToleranceBefore > .zero || requestedTimeToleranceAfter > .zero else {
      return nil
    }
    return track.identifier.flatMap { MovieKeyFrames(of: asset.path, track: $0) }
  }

  /// Reads a frame for each time: what is between two isn't decoded.
  private func readTolerantly(
    _ times: [MediaTime], _ keyFrames: MovieKeyFrames, _ give: (Image) -> Void
  ) async throws {
    for time in times {
      try Task.checkCancellation()
      if track.end.isNumeric, time >= track.end || time < .zero { throw missing(time) }
      let near = keyFrames.nearest(
        to: time, from: time - requestedTimeToleranceBefore,
        upTo: time + requestedTimeToleranceAfter)
      try await readPass([near ?? time]) { image in
        give(Image(requestedTime: time, actualTime: image.actualTime, frame: image.frame))
      }
    }
  }

  /// Reads from the first time on, and gives for each the last frame that isn't after it.
  private func readPass(_ times: [MediaTime], _ body: (Image) -> Void) async throws {
    guard let first = times.first else { return }
    if track.end.isNumeric, first >= track.end { throw missing(first) }
    let range = MediaTimeRange(start: first, duration: .positiveInfinity)
    let reader = try AssetReader(asset, timeRange: range)
    let frames = try reader.outputProvider(for: .video(track, settings))
    try reader.start()
    defer { reader.cancelReading() }
    var (waiting, shown): (ArraySlice<MediaTime>, ReadySampleBuffer?) = (times[...], nil)
    func give(before end: MediaTime) {
      while let time = waiting.first, let frame = shown, time < end {
        body(Image(requestedTime: time, actualTime: frame.presentationTime, frame: frame))
        waiting.removeFirst()
      }
    }
    while !waiting.isEmpty {
      let next = try await frames.next()
      give(before: next?.presentationTime ?? shown?.end ?? first)
      guard let next else { break }
      shown = next
      if waiting.first == next.presentationTime { give(before: next.end) }
    }
    try Task.checkCancellation()
    if let time = waiting.first { throw missing(time) }
  }

  private var settings: AssetReaderOutput.VideoSettings {
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

  private func missing(_ time: MediaTime) -> NodeError {
    NodeError(
      "`\(asset.path)` shows no frame at \(time.seconds) s",
      remedy: "ask for a time before its end at \(track.end.seconds) s")
  }
}

extension ReadySampleBuffer {
  /// When the frame is gone.
  fileprivate var end: MediaTime {
    duration.isNumeric ? presentationTime + duration : presentationTime
  }
}
