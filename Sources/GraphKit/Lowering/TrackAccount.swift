import GStreamer
import GraphKitSystem

/// What enters a track of a file, to be compared with what the finished file holds.
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
  /// with headers in them; of audio, what comes first without a time is a header that isn't marked.
  func count(at pad: Pad, isAudio: Bool) {
    pad.replaceBuffers { [state] buffer in
      if isAudio, buffer.isHeader { return buffer }
      let (time, duration) = (buffer.presentationTime, buffer.duration ?? 0)
      state.withLock { entered in
        if isAudio, time == nil, entered.samples == 0 { return }
        entered.add(time, duration)
      }
      return buffer
    }
  }

  var entered: Entered { state.withLock { $0 } }

  /// Counts what comes past the input.
  func count(_ body: (inout Entered) -> Void) { state.withLock(body) }
}

extension TrackAccount.Entered {
  /// How many samples a track of a file lacks, but for those that were left out on purpose.
  func missing(of track: WrittenTrack?, omitting omitted: Int) -> Int {
    max(0, samples - omitted - (track?.sampleCount ?? 0))
  }

  /// Whether a track of a file is shorter than what entered it, by more than muxers round and
  /// reordering hides.
  func isShortened(in track: WrittenTrack) -> Bool {
    seconds - track.duration > max(0.5, seconds / 100)
  }
}
