import GraphKit
import GraphKitSystem

/// A track that is sent.
struct TransmittedTrack: Sendable {
  let port: String
  let codec: Codec?
}

/// What a sink sends while a run goes on, over connections one after the other.
///
/// A connection begins with a key frame, or with the first sample where there is no video. Between two of
/// them, and where it takes less than comes, samples are left out up to the next key frame. No call waits.
final class Transmission {
  private let receiver: TransmissionElements
  private let tracks: [TransmittedTrack?]
  private let place: String
  private let hidden: String
  private let bufferSize: Int
  private let environment: any Environment
  private var formats: [FormatDescription?]
  private var pipeline: SendingPipeline?
  private var isConnected = false
  private var opened = ContinuousClock.now
  private var nextOpening = ContinuousClock.now
  private var lostSince: ContinuousClock.Instant?
  private var pause = Transmission.firstPause
  /// What waits for the connection, by input.
  private var waiting: [[SampleBox]]
  private var waitingBytes = 0
  /// The inputs of which nothing follows.
  private var hasEnded: [Bool]
  private var needsKeyFrame = true
  private var warnings: Set<String> = []

  private static let firstPause = 0.25
  private static let longestPause = 5.0
  /// A connection that isn't made within so many seconds never will be.
  private static let openingTimeout = 10.0
  /// For how long what waits is sent at the end.
  private static let closingTime = 1.0

  init(
    _ receiver: TransmissionElements, _ tracks: [TransmittedTrack?], to place: String,
    hiding hidden: String, bufferSize: Int, in environment: any Environment
  ) {
    self.receiver = receiver
    self.tracks = tracks
    self.place = place
    self.hidden = hidden
    self.bufferSize = bufferSize
    self.environment = environment
    formats = tracks.map { _ in nil }
    waiting = tracks.map { _ in [] }
    hasEnded = tracks.map { _ in false }
  }

  private var address: LiveAddress { LiveAddress(uri: hidden) }

  /// The input with video, where there is one.
  private var videoInput: Int? { tracks[0] == nil ? nil : 0 }

  /// Waits until a sample is due: what comes from files goes as time passes, too.
  static func waitForTime(of sample: borrowing SampleBuffer, _ outputs: NodeOutputs) {
    let time = sample.decodeTime.isNumeric ? sample.decodeTime : sample.presentationTime
    guard time.isNumeric else { return }
    while !outputs.isStopped {
      let ahead = (time - outputs.runTime).seconds
      guard ahead > 0.001 else { return }
      StreamingThread.nap(microseconds: UInt32(min(ahead, 0.02) * 1e6))
    }
  }

  /// Takes the format of an input; another one begins another connection.
  func prepare(_ format: FormatDescription, on input: Int) {
    let isNew = formats[input].map { $0.capsText != format.capsText } ?? false
    formats[input] = format
    if isNew { drop() }
  }

  /// Takes a sample, and sends what can be sent.
  func take(_ box: SampleBox, on input: Int, _ outputs: NodeOutputs) {
    look(outputs)
    // Where no video follows, there is no key frame to wait for.
    let video = videoInput.flatMap { hasEnded[$0] ? nil : $0 }
    let isKeyFrame = video.map { $0 == input && box.sample.isSync } ?? true
    if needsKeyFrame {
      guard isKeyFrame, open(at: box, outputs) else { return }
      needsKeyFrame = false
    }
    guard pipeline != nil else { return }
    waiting[input].append(box)
    waitingBytes += box.sample.byteCount
    send()
    guard waitingBytes > bufferSize else { return }
    warn("what it sends to takes less than comes: of what waits, the oldest is left out", outputs)
    leaveOutWaiting()
  }

  /// Sends what waits, of each input as much as its connection takes.
  private func send() {
    guard let pipeline else { return }
    for input in waiting.indices {
      var sent = 0
      while sent < waiting[input].count, pipeline.send(waiting[input][sent].sample, on: input) {
        waitingBytes -= waiting[input][sent].sample.byteCount
        sent += 1
      }
      waiting[input].removeFirst(sent)
      if hasEnded[input], waiting[input].isEmpty { pipeline.finish(input) }
    }
  }

  private func leaveOutWaiting() {
    waiting = tracks.map { _ in [] }
    waitingBytes = 0
    needsKeyFrame = true
  }

  // MARK: Connections

  /// Looks at the connection.
  private func look(_ outputs: NodeOutputs) {
    guard let pipeline else { return }
    if pipeline.hasFailed {
      let problem = isConnected ? nil : address.certificateProblem(in: environment)
      let reason = pipeline.failure.replacing(hidden, with: place)
      close(problem.map { "\($0)" } ?? reason, outputs)
    } else if !isConnected, pipeline.isConnected {
      isConnected = true
      pause = Self.firstPause
      let away = lostSince.map { (ContinuousClock.now - $0) / .seconds(1) }
      lostSince = nil
      outputs.report(ConnectionChange(.connected, awaySeconds: away))
    } else if !isConnected, .now > opened + .seconds(Self.openingTimeout) {
      close("there was no connection within \(Int(Self.openingTimeout)) s", outputs)
    }
  }

  private func close(_ reason: String, _ outputs: NodeOutputs) {
    outputs.report(ConnectionChange(isConnected ? .lost : .refused, reason: reason))
    warn("\(place) can't be sent to: \(reason); it is tried again", outputs)
    if isConnected { lostSince = .now }
    drop()
    nextOpening = .now + .seconds(pause)
    pause = min(2 * pause, Self.longestPause)
  }

  private func drop() {
    pipeline?.cancel()
    (pipeline, isConnected) = (nil, false)
    leaveOutWaiting()
  }

  /// Has a connection that begins with a sample, or goes on with it; whether there is one.
  private func open(at box: SampleBox, _ outputs: NodeOutputs) -> Bool {
    if pipeline != nil { return true }
    let isKnown = tracks.indices.allSatisfy { tracks[$0] == nil || formats[$0] != nil }
    guard .now >= nextOpening, isKnown else { return false }
    let decode = box.sample.decodeTime
    let start = decode.isNumeric ? decode : box.sample.presentationTime
    opened = .now
    // What was refused before isn't this connection's.
    _ = address.certificateProblem(in: environment)
    do {
      pipeline = try SendingPipeline(
        receiver, tracks, formats, from: start, in: environment)
      return true
    } catch {
      close("\(error)".replacing(hidden, with: place), outputs)
      return false
    }
  }

  private func warn(_ message: String, _ outputs: NodeOutputs) {
    guard warnings.insert(message).inserted, warnings.count < 10 else { return }
    outputs.warn(message)
  }

  // MARK: End

  /// An input has ended: its connection hears of that when all of it is sent.
  func finish(input: Int) {
    hasEnded[input] = true
    send()
  }

  /// All have: a connection gets a moment for what waits, and for what it holds.
  func finish(_ outputs: NodeOutputs) {
    let end = ContinuousClock.now + .seconds(Self.closingTime)
    while let pipeline, pipeline.isConnected, !pipeline.hasFailed, waitingBytes > 0, .now < end {
      send()
      StreamingThread.nap(microseconds: 5_000)
    }
    if waitingBytes > 0, pipeline?.isConnected == true {
      warn("the end of what was to be sent is left out", outputs)
    }
    pipeline?.end()
    pipeline = nil
  }
}
