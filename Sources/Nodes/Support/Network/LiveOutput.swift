import GraphKit

/// A track of a live stream while a run receives it: what waits to be presented, and what takes its place.
final class LiveOutput {
  let track: LiveTrack
  /// The node's output.
  let number: Int
  private var waiting: SampleBuffer?
  /// Its own time, in nanoseconds: that of decoding where it is encoded.
  private var waitingTime: Int64 = 0
  /// When that came, in nanoseconds of the run's time.
  private(set) var arrival: Int64 = 0
  private var filler = LiveFiller()
  private var untimed = UntimedPackets()
  private var opus = OpusTimer()
  private var aac = AACDurations()
  /// What says when packets are decoded; `nil` where their sender does.
  private var decodeTimes: LiveDecodeTimes?
  /// Whether packets wait for one that decoding can begin with.
  private var needsSync: Bool
  /// When the key frame is presented that decoding began with, in nanoseconds, as long as no later frame has
  /// come.
  private var beginning: Int64?
  /// Whether a sample has come over the present connection.
  private(set) var hasCome = false
  /// Whether nothing that follows takes more.
  private(set) var hasEnded = false
  /// Whether it has ended since the sender doesn't send it.
  private(set) var isMissing = false

  /// A track whose packets say when they are decoded, or only when they are presented.
  init(_ track: LiveTrack, number: Int, hasDecodeTimes: Bool) {
    self.track = track
    decodeTimes = hasDecodeTimes ? nil : LiveDecodeTimes()
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
    decodeTimes?.begin()
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
    if track.codec == .aac { aac.pass(&sample) }
    guard let time = time(of: &sample) else {
      // What refers to it can't be decoded either.
      needsSync = track.isEncoded && track.isVideo
      return hasEnded
    }
    guard !hasEnded, !needsSync || sample.isSync, !isLeading(sample) else { return true }
    needsSync = false
    waitingTime = time
    waiting = consume sample
    return true
  }

  /// Whether a packet is presented before the key frame that decoding began with, so that it is decoded from
  /// frames which haven't come.
  private func isLeading(_ sample: borrowing SampleBuffer) -> Bool {
    guard track.isVideo, track.isEncoded else { return false }
    let time = sample.presentationTime.nanoseconds
    if sample.isSync {
      beginning = needsSync ? time : nil
    } else if let first = beginning, let time, time < first {
      return true
    } else {
      beginning = nil
    }
    return false
  }

  /// A sample's own time in nanoseconds; `nil` where that isn't known.
  private func time(of sample: inout SampleBuffer) -> Int64? {
    guard track.isVideo, track.isEncoded else { return sample.presentationTime.nanoseconds }
    guard untimed.pass(&sample) else { return nil }
    guard decodeTimes == nil else { return decodeTimes?.next(&sample) }
    return sample.decodeTime.nanoseconds ?? sample.presentationTime.nanoseconds
  }

  /// Ends the output though nothing has come: what comes of it later is left out.
  func leaveOut(of outputs: NodeOutputs) throws {
    (hasEnded, isMissing) = (true, true)
    try outputs.finish(number)
  }

  /// What waits.
  var sample: LiveTiming.Sample? {
    guard isWaiting else { return nil }
    return LiveTiming.Sample(
      time: waitingTime, isPacket: track.isEncoded, isFrame: track.isVideo)
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
    let shift = MediaTime(nanoseconds: time - waitingTime)
    sample.presentationTime = sample.presentationTime + shift
    if track.isEncoded { sample.decodeTime = MediaTime(nanoseconds: time) }
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
