public import GraphKit
import GraphKitSystem

/// A piece of a movie that is handed to a program while the movie is written (ISO/IEC 14496-12, 8.8).
///
/// What the program stores or sends one after the other is a fragmented movie; each piece after the
/// header can be played with the header alone, and begins with a key frame.
public struct MediaSegment: Sendable {
  /// What a piece is.
  public enum Kind: Hashable, Sendable {
    /// The boxes `ftyp` and `moov`, which every other piece needs before it.
    case initialization
    /// Samples, numbered from 1.
    case media(number: Int)
  }

  /// What a piece holds of one track.
  public struct Track: Hashable, Sendable {
    /// The port that the track comes to: `video`, `audio.2`.
    public let port: String
    /// From when to when its samples are presented, in the time of the samples that came.
    public let timeRange: MediaTimeRange
    /// How many there are.
    public let sampleCount: Int
    /// How large the first of them is.
    public let firstByteCount: Int
    /// Whether decoding can start with the first of them.
    public let startsWithSync: Bool
  }

  /// What it is.
  public let kind: Kind
  /// Its bytes.
  public let bytes: [UInt8]
  /// From its first key frame to that of the next, and of the last one until all its samples have ended;
  /// empty and at zero for the header.
  public let timeRange: MediaTimeRange
  /// What it holds of each track that has samples in it, in the order of the ports' names.
  public let tracks: [Track]
}

/// Where a segment is to end.
enum SegmentEnd: Hashable, Sendable {
  /// Before the next key frame.
  case nextKeyFrame
  /// With what is presented up to a time of each port.
  case after([String: MediaTime])
}

/// What takes the segments of a ``SegmentOutput``, and may ask for the end of one.
public final class SegmentReceiver: Sendable {
  private let onSegment: @Sendable (MediaSegment) throws -> Void
  private struct State {
    /// The ends that were asked for.
    var requests: [SegmentEnd] = []
    var ask: (@Sendable (MediaTime?) -> Void)?
  }
  private let state = Monitor(State())

  /// A receiver that has each segment handed to a closure, in their order.
  ///
  /// It is called on a thread of the run, which waits for it: a slow program slows down what is written,
  /// and nothing piles up. What it throws ends the run with that error.
  public init(onSegment: @escaping @Sendable (MediaSegment) throws -> Void) {
    self.onSegment = onSegment
  }

  /// Ends the segment that is being written at the next key frame, for which the encoders are asked. May
  /// be called from anywhere, also while a segment is handed over.
  public func endSegment() { request(.nextKeyFrame)?(nil) }

  /// Ends the segment with what is presented up to a time of each port, in the run's time; the next begins
  /// with the first key frame after that, for which the encoders of video are asked.
  package func endSegment(after times: [String: MediaTime]) {
    let ask = request(.after(times))
    let isVideo = { (port: String) in port.split(separator: ".").first == "video" }
    if let time = times.filter({ isVideo($0.key) }).values.max() { ask?(time) }
  }

  private func request(_ end: SegmentEnd) -> (@Sendable (MediaTime?) -> Void)? {
    state.withLock { state in
      state.requests.append(end)
      return state.ask
    }
  }

  /// The ends that were asked for since this was called last.
  func takeRequests() -> [SegmentEnd] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  func begin(askingForKeyFrames ask: @escaping @Sendable (MediaTime?) -> Void) {
    state.withLock { $0.ask = ask }
  }

  func hand(over segment: MediaSegment) throws { try onSegment(segment) }
}
