import AssetIO
import GraphKit

/// Takes encoded audio and video in two queues, as encoders hand them out, and writes them into a movie
/// interleaved by the time at which they are decoded.
actor PacketMuxer {
  /// Which of the queues.
  enum Track: CaseIterable, Sendable { case video, audio }

  /// Why a packet isn't taken.
  enum Refusal: Error, Hashable {
    /// Before `start()`, or after `stop()` or `cancel()`.
    case isNotRunning
    /// The queue is full: nothing comes to the other one, or the disk is too slow.
    case isFull(Track)
  }

  /// How many packets a queue holds at most: some ten seconds.
  static let capacity = 500

  private let writer: AssetWriter
  private let receivers: [Track: SampleReceiver]
  private let onError: @Sendable (any Error) -> Void
  private var queues: [Track: [ReadySampleBuffer]] = [:]
  /// The queues to which more may come.
  private var open: Set<Track> = []
  private var isRunning: Bool { !open.isEmpty }
  private var wakeUp: CheckedContinuation<Void, Never>?
  private var pump: Task<Void, any Error>?

  /// A muxer of two streams, of which the formats of their packets say all. `onError` is called once,
  /// when the movie can't be written any further.
  init(
    path: String, video: FormatDescription, audio: FormatDescription,
    onError: @escaping @Sendable (any Error) -> Void
  ) throws {
    writer = AssetWriter(path: path)
    receivers = [
      .video: try writer.inputReceiver(for: .stored(video)),
      .audio: try writer.inputReceiver(for: .stored(audio)),
    ]
    self.onError = onError
  }

  /// Begins to write. The movie begins at time zero of the packets.
  func start() throws {
    try writer.start()
    try writer.startSession(at: .zero)
    open = Set(Track.allCases)
    pump = Task {
      do { try await write() } catch {
        open = []
        onError(error)
        throw error
      }
    }
  }

  /// Puts a packet into its queue, and never waits.
  func append(_ packet: ReadySampleBuffer, to track: Track) throws(Refusal) {
    guard open.contains(track) else { throw .isNotRunning }
    guard queues[track, default: []].count < Self.capacity else { throw .isFull(track) }
    queues[track, default: []].append(packet)
    wakeUp.take()?.resume()
  }

  /// Says that no packet follows in a queue: the other one doesn't wait for it any more.
  func end(_ track: Track) {
    open.remove(track)
    wakeUp.take()?.resume()
  }

  /// Writes what is queued, and returns once the movie is whole.
  func stop() async throws -> Report {
    for track in Track.allCases { end(track) }
    try await pump?.value
    return try await writer.finishWriting()
  }

  /// Ends at once, and leaves no movie.
  func cancel() async {
    (open, queues) = ([], [:])
    wakeUp.take()?.resume()
    await writer.cancelWriting()
  }

  private func write() async throws {
    while true {
      if let (track, packet) = takeNext() {
        try await receivers[track]?.append(packet)
      } else if isRunning {
        await withCheckedContinuation { wakeUp = $0 }
      } else {
        return
      }
      for (track, receiver) in receivers where hasEnded(track) { receiver.finish() }
    }
  }

  private func hasEnded(_ track: Track) -> Bool {
    !open.contains(track) && queues[track, default: []].isEmpty
  }

  /// The packet that is decoded first. Each queue to which more may come has to have one.
  private func takeNext() -> (Track, ReadySampleBuffer)? {
    let heads = Track.allCases.compactMap { track in queues[track]?.first.map { (track, $0) } }
    guard open.allSatisfy({ track in heads.contains { $0.0 == track } }),
      let next = heads.min(by: { $0.1.decodingTime < $1.1.decodingTime })
    else { return nil }
    queues[next.0]?.removeFirst()
    return next
  }
}

extension ReadySampleBuffer {
  /// When it is decoded, or else presented.
  var decodingTime: MediaTime { decodeTime.isNumeric ? decodeTime : presentationTime }
}
