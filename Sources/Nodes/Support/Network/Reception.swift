import GraphKit
import GraphKitSystem

/// A live stream while a run receives it: its connections, one after the other, and what leaves.
final class Reception {
  private let stream: LiveStream
  private let address: LiveAddress
  private let environment: any Environment
  private let tracks: [LiveOutput]
  private var timing: LiveTiming
  private var reconnection: Reconnection
  private var pipeline: LivePipeline?
  /// Whether a sample has come over the present connection, when that was opened, and when the last came.
  private var isConnected = false
  private var opened = 0.0
  private var connected = 0.0
  private var lastArrival = 0.0
  /// Until when what a connection has held back is waited for, once it has become silent.
  private var drainEnd: Double?
  /// How long the stream is, where it is a recording: opened anew it would begin again.
  private var length: Double?
  /// When the connection brought its first sample, in the run's time.
  private var begun = 0.0
  private var lastReason: String?
  private var warnings: Set<String> = []
  private let start = ContinuousClock.now
  /// How much later than the wall's the run's time is.
  private var pausedSeconds: Double?
  /// When the first of the tracks was taken to its end, in the run's time.
  private var firstEnd: Double?

  /// Receives a stream's tracks of some numbers.
  init(_ stream: LiveStream, _ wired: [Int], _ environment: any Environment) {
    self.stream = stream
    self.environment = environment
    let address = LiveAddress(uri: stream.uri)
    self.address = address
    tracks = wired.map {
      LiveOutput(stream.tracks[$0], number: $0, hasDecodeTimes: address.givesDecodeTimes)
    }
    timing = LiveTiming(stream.gaps, trackCount: wired.count)
    reconnection = Reconnection(
      startTimeout: stream.startTimeout, reconnectTimeout: stream.reconnectTimeout, now: 0)
  }

  private static let longestDrain = 0.5

  private var now: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// Whether something leaves though nothing comes.
  private var fills: Bool {
    stream.gaps == .fill && tracks.allSatisfy { $0.canBeFilled || $0.isMissing }
  }

  /// How long the first sample of a track is waited for where another track has come.
  private var trackTimeout: Double { max(5, stream.stallTimeout) }

  /// Whether a track is waited for that has never come.
  private var awaitsTrack: Bool { tracks.contains { $0.format == nil && !$0.hasEnded } }

  /// Does what is due, or waits a moment for it; `false` where the stream has ended.
  func step(_ outputs: NodeOutputs) throws -> Bool {
    let (wall, run) = (now, outputs.runTime)
    guard !isTaken(run.seconds) else { return false }
    skipPause(wall, run.seconds)
    guard try connect(wall, outputs) else { return false }
    let isSilent = !isConnected || wall - lastArrival > Self.longestDrain
    let isAway = isSilent && !(fills && reconnection.hasConnected)
    // A sink doesn't give up a track as long as that may come.
    outputs.setAwaiting(isAway || awaitsTrack)
    let time = run.nanoseconds ?? 0
    takeSamples(wall, time, outputs)
    var hasPresented = try beginTogether(time) && present(time, outputs)
    if try fill(time, outputs) { hasPresented = true }
    if hasPresented { return true }
    guard try look(wall, outputs) else { return false }
    wait(time)
    return true
  }

  /// Whether all has been taken that the graph takes: what the other tracks have of that time may come
  /// later.
  private func isTaken(_ run: Double) -> Bool {
    let taken = tracks.filter { !$0.isMissing }
    guard taken.contains(where: \.hasEnded) else { return false }
    let end = firstEnd ?? run
    firstEnd = end
    return taken.allSatisfy(\.hasEnded) || run - end > stream.jitter
  }

  // MARK: Connections

  /// Opens a connection where one is due; `false` where the stream is given up.
  private func connect(_ wall: Double, _ outputs: NodeOutputs) throws -> Bool {
    guard !isConnected else { return true }
    guard wall < reconnection.limit else { return giveUp(outputs) }
    guard pipeline == nil, wall >= reconnection.nextOpening else { return true }
    var connection = LiveConnection()
    (connection.address, connection.transport) = (address, stream.transport)
    connection.tracks = tracks.map(\.track)
    timing.begin()
    for track in tracks { track.begin(isConnected: false) }
    opened = wall
    // What was refused before isn't this connection's.
    _ = address.certificateProblem(in: environment)
    do {
      pipeline = try LivePipeline(connection, formats: tracks.map(\.format), in: environment)
    } catch { close(address.withoutSecrets("\(error)"), wall, outputs) }
    return true
  }

  private func giveUp(_ outputs: NodeOutputs) -> Bool {
    let time = reconnection.hasConnected ? stream.reconnectTimeout : stream.startTimeout
    let reason = lastReason.map { ": \($0)" } ?? ""
    var error = NodeError(
      "nothing came from \(address.place) within \(time) s\(reason)",
      remedy: "check that it sends, and that this machine reaches it", key: "uri")
    error.isTemporary = true
    outputs.endRun(error)
    return false
  }

  /// Looks whether the connection is still one; `false` where the stream has ended with it.
  private func look(_ wall: Double, _ outputs: NodeOutputs) throws -> Bool {
    guard let pipeline else { return true }
    let hasEnded = pipeline.hasEnded && !tracks.contains(where: \.isWaiting)
    if let drainEnd {
      return hasEnded || wall > drainEnd ? giveUpSilent(wall, outputs) : true
    } else if hasEnded {
      let failure = pipeline.failure.map(address.withoutSecrets)
      let problem = isConnected ? nil : address.certificateProblem(in: environment)
      if let problem, refuse(problem, outputs) { return false }
      let isEnd = failure == nil && isConnected
      if isEnd, stream.onEnd == .finish || address.endsForGood { return false }
      if let length, isConnected { return endBroken(length, failure, outputs) }
      close(problem?.message ?? failure ?? "the sender has ended it", wall, outputs)
    } else if isConnected {
      try endMissingTracks(wall, outputs)
      let isStalled = wall - lastArrival > stream.stallTimeout
      if isStalled, !tracks.contains(where: \.isWaiting) {
        pipeline.finish()
        drainEnd = wall + Self.longestDrain
      }
    } else if !address.isWaiting, wall - opened > max(10, stream.stallTimeout) {
      close("nothing came", wall, outputs)
    }
    return true
  }

  /// What a silent connection held back has come; `false` where the stream has ended with it.
  private func giveUpSilent(_ wall: Double, _ outputs: NodeOutputs) -> Bool {
    let reason = "nothing came for \(stream.stallTimeout) s"
    if let length { return endBroken(length, reason, outputs) }
    close(reason, wall, outputs)
    return true
  }

  /// Ends the run for a certificate that isn't trusted, which no other try helps; `false` where a
  /// connection was made before, whose server may yet come back.
  private func refuse(_ problem: NodeError, _ outputs: NodeOutputs) -> Bool {
    guard !reconnection.hasConnected else { return false }
    outputs.report(ConnectionChange(.refused, reason: problem.message))
    outputs.endRun(
      NodeError(
        "\(address.place) can't be received: \(problem.message)", remedy: problem.remedy,
        key: "uri"))
    return true
  }

  private func close(_ reason: String, _ wall: Double, _ outputs: NodeOutputs) {
    pipeline = nil
    if lastReason == nil, !isConnected {
      outputs.warn("no connection to \(address.place): \(reason); it is tried again")
    }
    lastReason = reason
    outputs.report(ConnectionChange(isConnected ? .lost : .refused, reason: reason))
    if isConnected {
      reconnection.lose(since: lastArrival, at: wall)
    } else {
      reconnection.refuse(at: wall)
    }
    isConnected = false
    drainEnd = nil
  }

  /// Ends the run where a recording breaks off; returns `false`.
  private func endBroken(
    _ length: Double, _ reason: String?, _ outputs: NodeOutputs
  ) -> Bool {
    let reason = reason ?? "the connection failed"
    outputs.report(ConnectionChange(.lost, reason: reason))
    var error = NodeError(
      "\(address.place) is a recording of \(length) s, and breaks off after "
        + "\(((outputs.runTime.seconds - begun) * 1_000).rounded() / 1_000) s: \(reason)",
      remedy: "see that its server has all of it, and run again", key: "uri")
    error.isTemporary = true
    outputs.endRun(error)
    return false
  }

  /// Ends the outputs of tracks that don't come while another does: sinks would wait for them, and
  /// a recording of what comes is better than none.
  private func endMissingTracks(_ wall: Double, _ outputs: NodeOutputs) throws {
    guard awaitsTrack, wall - connected > trackTimeout, tracks.contains(where: \.hasCome) else {
      return
    }
    for missing in tracks where missing.format == nil && !missing.hasCome && !missing.hasEnded {
      let (port, codec) = (missing.track.port, missing.track.codec)
      outputs.warn(
        "\(address.place) sent no \(codec.map { "\($0.rawValue) " } ?? "")\(port) within "
          + "\(trackTimeout) s of the other track, so `\(port)` ends without it"
          + (codec == nil ? "" : "; leave out `\(port)Codec` to decode what comes"))
      try missing.leaveOut(of: outputs)
    }
  }

  // MARK: Samples

  /// What came while the run was paused is left out, and time goes on where it was.
  private func skipPause(_ wall: Double, _ run: Double) {
    defer { pausedSeconds = wall - run }
    guard let pausedSeconds, wall - run - pausedSeconds > 0.25 else { return }
    reconnection.skip(wall - run - pausedSeconds)
    guard let pipeline else { return }
    for (index, track) in tracks.enumerated() {
      while let sample = pipeline.next(of: index) { track.skip(sample) }
      track.begin(isConnected: isConnected)
    }
    timing.begin()
    if isConnected { lastArrival = wall }
  }

  private func takeSamples(_ wall: Double, _ now: Int64, _ outputs: NodeOutputs) {
    guard let pipeline else { return }
    for (index, track) in tracks.enumerated() {
      while !track.isWaiting, let sample = pipeline.next(of: index) {
        if drainEnd == nil { lastArrival = wall }
        if !track.take(sample, now: now) {
          warnOnce("\(track.track.port) without times is left out", outputs)
        }
        if !isConnected {
          (isConnected, connected) = (true, wall)
          (length, begun) = (address.isPlaylist ? pipeline.length : nil, outputs.runTime.seconds)
          let away = reconnection.connect(at: wall)
          outputs.report(ConnectionChange(.connected, awaySeconds: away))
        }
      }
    }
  }

  /// Whether a connection has begun, which it does with the first samples of all tracks, or of those that
  /// have come while samples may be late.
  private func beginTogether(_ now: Int64) -> Bool {
    if timing.hasOrigin { return true }
    let open = tracks.filter { !$0.hasEnded }
    let firsts = open.compactMap { track in
      track.sample.map { (time: $0.time, arrival: track.arrival) }
    }
    guard let first = firsts.map(\.arrival).min(),
      firsts.count == open.count || now - first >= Int64(stream.jitter * 1e9)
    else { return false }
    timing.begin(with: firsts)
    return true
  }

  /// Presents what is due; whether something was.
  private func present(_ now: Int64, _ outputs: NodeOutputs) throws -> Bool {
    var hasPresented = false
    let waiting = tracks.map { $0.sample?.time }
    if zip(tracks, waiting).allSatisfy({ $0.hasEnded || $1 != nil }) {
      timing.catchUp(with: waiting, now: now)
    }
    for (index, track) in tracks.enumerated() {
      guard let sample = track.sample else { continue }
      // What a silent connection held back is of a time that is filled by now.
      if drainEnd != nil, timing.tracks[index].isFilled {
        track.drop()
        hasPresented = true
        continue
      }
      switch timing.place(sample, of: index, now: now) {
      case .dropped:
        track.drop()
        warnOnce("\(track.track.port) that came after what follows it is left out", outputs)
        hasPresented = true
      case .at(let start):
        try fillGap(before: start, of: index, now, outputs)
        guard start <= now else { continue }
        let end = try track.present(at: start, to: outputs)
        timing.present(sample.time, from: start, until: end, of: index, now: now)
        hasPresented = true
      }
    }
    return hasPresented
  }

  private func warnOnce(_ message: String, _ outputs: NodeOutputs) {
    if warnings.insert(message).inserted { outputs.warn(message) }
  }

  /// Silence, or the last frame again, up to a sample that doesn't follow the last, as time passes.
  private func fillGap(
    before time: Int64, of index: Int, _ now: Int64, _ outputs: NodeOutputs
  ) throws {
    let track = tracks[index]
    guard timing.isGap(before: time, of: index, isFrame: track.track.isVideo) else { return }
    let limit = min(time, now)
    let least = track.track.isVideo ? LiveTiming.slack : LiveTiming.shortestSilence
    while let end = timing.tracks[index].end, limit - end > least,
      let reached = try track.fill(from: end, to: limit, to: outputs)
    {
      timing.fill(from: end, until: reached, of: index)
    }
  }

  /// Fills what is missing by now; whether something was.
  private func fill(_ now: Int64, _ outputs: NodeOutputs) throws -> Bool {
    guard stream.gaps == .fill else { return false }
    var hasFilled = false
    let missing = now - Int64(stream.jitter * 1e9)
    for (index, track) in tracks.enumerated() where !track.isWaiting {
      guard let end = timing.tracks[index].end, missing - end >= LiveTiming.slack,
        let reached = try track.fill(from: end, to: missing, to: outputs)
      else { continue }
      timing.fill(from: end, until: reached, of: index)
      hasFilled = true
    }
    return hasFilled
  }

  /// Waits for a sample, or until one is due.
  private func wait(_ now: Int64) {
    let longest: Int64 = 40_000_000
    let open = tracks.indices.filter { !tracks[$0].isWaiting }
    guard let pipeline, !open.isEmpty else {
      StreamingThread.nap(microseconds: 5_000)
      return
    }
    pipeline.wait(for: open, nanoseconds: open.count < tracks.count ? 5_000_000 : longest)
  }
}
