import GraphKit

/// A track of a live stream while a run receives it: what waits to be presented, and what takes its place.
final class LiveOutput {
  let track: LiveTrack
  /// The node's output.
  let number: Int
  private var waiting: SampleBuffer?
  private var filler = LiveFiller()
  /// Whether packets wait for one that decoding can begin with.
  private var needsSync: Bool
  /// Whether a sample has come over the present connection.
  private(set) var hasCome = false

  init(_ track: LiveTrack, number: Int) {
    self.track = track
    self.number = number
    needsSync = track.isEncoded && track.isVideo
  }

  /// The format of what was presented.
  var format: MediaFormat? { filler.format }

  var isWaiting: Bool { waiting != nil }

  /// Another connection follows, or a pause is over.
  func begin(isConnected: Bool) {
    waiting = nil
    needsSync = track.isEncoded && track.isVideo
    if !isConnected { hasCome = false }
  }

  /// Takes a sample, where it can be presented; whether another may be taken.
  func take(_ sample: consuming SampleBuffer) {
    hasCome = true
    guard Self.time(of: sample) != nil, !needsSync || sample.isSync else { return }
    needsSync = false
    waiting = consume sample
  }

  /// Its own time of what waits, in nanoseconds: that of decoding where it is encoded.
  var time: Int64? {
    switch waiting {
    case .some(let sample): Self.time(of: sample)
    case .none: nil
    }
  }

  private static func time(of sample: borrowing SampleBuffer) -> Int64? {
    let isEncoded = sample.format.format.kind.isEncoded
    return (isEncoded ? sample.decodeTime.nanoseconds : nil) ?? sample.presentationTime.nanoseconds
  }

  /// Leaves out what waits.
  func drop() { waiting = nil }

  /// Presents what waits at a time; returns where it ends.
  func present(at time: Int64, to outputs: NodeOutputs) throws -> Int64 {
    guard var sample = waiting.take() else { return time }
    let shift = MediaTime(nanoseconds: time - (Self.time(of: sample) ?? time))
    let decode = sample.decodeTime
    sample.presentationTime = sample.presentationTime + shift
    if decode.isNumeric { sample.decodeTime = decode + shift }
    let duration = LiveFiller.duration(of: sample)
    filler.note(sample)
    try outputs.send(sample, on: number)
    return time + duration
  }

  /// Presents what takes the place of what is missing; returns where it ends, `nil` where that is too near.
  func fill(from start: Int64, to end: Int64, to outputs: NodeOutputs) throws -> Int64? {
    guard let piece = filler.next(from: start, to: end) else { return nil }
    let reached = piece.end
    try outputs.send(piece.sample, on: number)
    return reached
  }
}
