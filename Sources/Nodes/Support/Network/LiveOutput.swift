import GraphKit

/// A track of a live stream while a run receives it: what waits to be presented, and what takes its place.
final class LiveOutput {
  let track: LiveTrack
  /// The node's output.
  let number: Int
  private var waiting: SampleBuffer?
  /// When that came, in nanoseconds of the run's time.
  private(set) var arrival: Int64 = 0
  private var filler = LiveFiller()
  private var untimed = UntimedPackets()
  private var opus = OpusTimer()
  /// Whether packets wait for one that decoding can begin with.
  private var needsSync: Bool
  /// Whether a sample has come over the present connection.
  private(set) var hasCome = false
  /// Whether nothing that follows takes more.
  private(set) var hasEnded = false
  /// Whether it has ended since the sender doesn't send it.
  private(set) var isMissing = false

  init(_ track: LiveTrack, number: Int) {
    self.track = track
    self.number = number
    needsSync = track.isEncoded && track.isVideo
  }

  /// The format of what was presented.
  var format: MediaFormat? { filler.format }
  /// Whether something can take the place of what is missing: nothing does of packets.
  var canBeFilled: Bool { filler.canFill }

  var isWaiting: Bool { waiting != nil }

  /// Another connection follows, or a pause is over.
  func begin(isConnected: Bool) {
    waiting = nil
    (untimed, opus) = (UntimedPackets(), OpusTimer())
    needsSync = track.isEncoded && track.isVideo
    if !isConnected { hasCome = false }
  }

  /// Leaves out a sample that came while the run was paused.
  func skip(_ sample: consuming SampleBuffer) { hasCome = true }

  /// Takes a sample that comes now, where it can be presented; `false` where it is left out since its time
  /// isn't known.
  func take(_ sample: consuming SampleBuffer, now: Int64) -> Bool {
    (hasCome, arrival) = (true, now)
    var sample = sample
    // Senders put several in a packet, of which the first has a time.
    if track.codec == .opus, !opus.pass(&sample) { return true }
    let isTimed =
      track.isVideo && track.isEncoded
      ? untimed.pass(&sample) : sample.presentationTime.isNumeric
    guard isTimed else {
      // What refers to it can't be decoded either.
      needsSync = track.isEncoded && track.isVideo
      return hasEnded
    }
    guard !hasEnded, !needsSync || sample.isSync else { return true }
    needsSync = false
    waiting = consume sample
    return true
  }

  /// Ends the output though nothing has come: what comes of it later is left out.
  func leaveOut(of outputs: NodeOutputs) throws {
    (hasEnded, isMissing) = (true, true)
    try outputs.finish(number)
  }

  /// What waits; its own time is that of decoding where it is encoded.
  var sample: LiveTiming.Sample? {
    switch waiting {
    case .some(let sample):
      Self.time(of: sample).map {
        LiveTiming.Sample(time: $0, isPacket: track.isEncoded, isFrame: track.isVideo)
      }
    case .none: nil
    }
  }

  private static func time(of sample: borrowing SampleBuffer) -> Int64? {
    let isEncoded = sample.format.format.kind.isEncoded
    return (isEncoded ? sample.decodeTime.nanoseconds : nil) ?? sample.presentationTime.nanoseconds
  }

  /// Leaves out what waits; of a key frame also what is decoded from it.
  func drop() {
    let isSync =
      switch waiting {
      case .some(let sample): sample.isSync
      case .none: false
      }
    if isSync { needsSync = track.isEncoded && track.isVideo }
    waiting = nil
  }

  /// Presents what waits at a time; returns where it ends.
  func present(at time: Int64, to outputs: NodeOutputs) throws -> Int64 {
    guard var sample = waiting.take() else { return time }
    let shift = MediaTime(nanoseconds: time - (Self.time(of: sample) ?? time))
    let decode = sample.decodeTime
    sample.presentationTime = sample.presentationTime + shift
    if decode.isNumeric { sample.decodeTime = decode + shift }
    let duration = LiveFiller.duration(of: sample)
    filler.note(sample)
    try send(sample, to: outputs)
    return time + duration
  }

  /// Presents what takes the place of what is missing; returns where it ends, `nil` where that is too near.
  func fill(from start: Int64, to end: Int64, to outputs: NodeOutputs) throws -> Int64? {
    guard !hasEnded, let piece = filler.next(from: start, to: end) else { return nil }
    let reached = piece.end
    try send(piece.sample, to: outputs)
    return reached
  }

  /// Sends a sample, unless nothing takes it: the other track may have some that come later.
  private func send(_ sample: consuming SampleBuffer, to outputs: NodeOutputs) throws {
    do { try outputs.send(sample, on: number) } catch let stop as FlowStopped where stop.isEnough {}
    if !outputs.takesMore(number) { hasEnded = true }
  }
}
