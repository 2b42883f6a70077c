import GStreamer
import System

/// What enters a track of a movie, to be compared with what the finished file holds.
final class TrackAccount: Sendable {
  /// What has entered so far.
  struct Entered: Equatable {
    /// Samples, without the headers that some streams begin with.
    var samples = 0
    /// When the first of them is presented and the last ends, in nanoseconds of the stream's own.
    var start: UInt64?
    var end: UInt64 = 0

    mutating func add(_ time: UInt64?, _ duration: UInt64) {
      samples += 1
      guard let time else { return }
      start = min(start ?? time, time)
      end = max(end, time &+ duration)
    }

    /// How long what has entered is, in seconds.
    var seconds: Double { start.map { Double(end &- $0) / 1e9 } ?? 0 }
  }

  let wire: String
  /// The track's number in the file.
  let number: Int
  private let state = Monitor(Entered())

  init(wire: String, number: Int) {
    self.wire = wire
    self.number = number
  }

  /// Counts what comes to an input. Of video, the buffers that are marked as headers are samples
  /// with headers in them.
  func count(at pad: Pad, isAudio: Bool) {
    pad.replaceBuffers { [state] buffer in
      if isAudio, buffer.isHeader { return buffer }
      let (time, duration) = (buffer.presentationTime, buffer.duration ?? 0)
      state.withLock { $0.add(time, duration) }
      return buffer
    }
  }

  var entered: Entered { state.withLock { $0 } }
}

extension TrackAccount.Entered {
  /// How many samples a track of a file lacks.
  func missing(of track: MovieSummary.Track?) -> Int { max(0, samples - (track?.sampleCount ?? 0)) }

  /// Whether a track of a file is shorter than what entered it, by more than muxers round and
  /// reordering hides.
  func isShortened(in track: MovieSummary.Track) -> Bool {
    seconds - track.mediaDuration > max(0.5, seconds / 100)
  }
}

extension Pipeline {
  /// Compares every track that was written with what entered it. What is missing is a warning, and
  /// is booked as dropped on its wire.
  func compareFiles() {
    guard state == .completed else { return }
    for node in plan.nodes {
      guard let accounts = lowered.accounts[node.name],
        let path = node.node.finishingNode?.outputPath, let file = try? MovieReader.read(path)
      else { continue }
      for account in accounts {
        compare(account, file.tracks.first { $0.identifier == account.number }, of: node.name, path)
      }
    }
  }

  private func compare(
    _ account: TrackAccount, _ track: MovieSummary.Track?, of node: String, _ path: String
  ) {
    let entered = account.entered
    let missing = entered.missing(of: track)
    if missing > 0 {
      for group in lowered.groups { group.bookUnwritten(missing, onWire: account.wire) }
      for (name, counter) in lowered.counters where name == account.wire {
        counter.bookUnwritten(missing)
      }
      context.log.send(
        .warning(
          node: node,
          message: "\(missing) of the \(entered.samples) samples that came on \(account.wire) "
            + "aren't in `\(path)`"))
    } else if let track, entered.isShortened(in: track) {
      context.log.send(
        .warning(
          node: node,
          message:
            "what came on \(account.wire) is \(entered.seconds.toTheMillisecond) s long, and "
            + "its track in `\(path)` \(track.mediaDuration.toTheMillisecond) s"))
    }
  }
}

extension WireGroup {
  /// Books samples as dropped that left a wire and didn't get into the file.
  func bookUnwritten(_ count: Int, onWire name: String) {
    guard let index = wires.firstIndex(where: { $0.name == name }) else { return }
    monitor.withLock { $0.queues[index].ledger.bookUnwritten(count) }
  }
}

extension WireLedger {
  /// Books samples as dropped that left the wire and aren't in the file that was written of them.
  mutating func bookUnwritten(_ count: Int) {
    let lost = min(count, samplesOut)
    guard lost > 0 else { return }
    samplesOut -= lost
    dropped[DropReason.notWritten.rawValue, default: 0] += lost
  }
}

extension Double {
  fileprivate var toTheMillisecond: Double { (self * 1_000).rounded() / 1_000 }
}
