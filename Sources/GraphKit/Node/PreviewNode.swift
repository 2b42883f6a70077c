/// A sink that shows what passes, and that nothing ever waits for: it gets the newest frame, and
/// older ones that it hasn't taken are dropped before it.
public protocol PreviewNode: ExitNode {
  /// What a program gets of the frames.
  var preview: PreviewSettings { get }
}

extension PreviewNode {
  public var traits: NodeTraits { NodeTraits(takesNewestOnly: true) }
}

/// What is shown of frames.
public struct PreviewSettings: Sendable, Hashable {
  /// How pixels are stored.
  public var pixelFormat = PixelFormat.bgra
  /// The greatest width; `nil` for that of the frames.
  public var width: Int?
  /// The greatest height; `nil` for that of the frames.
  public var height: Int?
  /// Frames a second of media time, at most; `nil` for all that are taken.
  public var maxFrameRate: Double?

  /// Frames as they are, in `bgra`.
  public init() {}
}

/// Chooses frames so that they come so often at most.
public struct FrameLimiter: Sendable {
  private let interval: Double
  private var next: Double?

  /// Chooses at most so many frames a second; all where `frameRate` is `nil`.
  public init(frameRate: Double?) { interval = frameRate.map { 1 / $0 } ?? 0 }

  /// Whether the frame of a time is one of them. A frame without a time always is.
  public mutating func takes(_ time: MediaTime) -> Bool {
    guard interval > 0, time.isNumeric else { return true }
    let seconds = time.seconds
    // Times are rounded to nanoseconds, and a clock may jump back.
    if let next, seconds < next - interval / 100, seconds > next - 2 * interval { return false }
    let isInStep = next.map { abs(seconds - $0) < interval } ?? false
    next = (isInStep ? next ?? seconds : seconds) + interval
    return true
  }
}
