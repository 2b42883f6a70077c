import CEBUR128
import Glibc

/// A measurement of loudness by libebur128, after EBU R 128 and ITU-R BS.1770.
@safe package final class LoudnessMeter: Sendable {
  // Not checked by the compiler, because a meter belongs to one thread at a time: libebur128 has no locks.
  nonisolated(unsafe) private var state: UnsafeMutablePointer<ebur128_state>?
  private let channels: Int
  /// Frames of 100 ms, as libebur128 counts them, and those that are missing for the next 100 ms.
  private let blockLength: Int
  nonisolated(unsafe) private var missing: Int

  /// A meter; `nil` where libebur128 doesn't take so many channels or such a rate.
  package init?(channels: Int, sampleRate: Int, measuresTruePeak: Bool) {
    let peak = measuresTruePeak ? EBUR128_MODE_TRUE_PEAK : EBUR128_MODE_SAMPLE_PEAK
    // The histogram holds 1000 counts in place of one value for each 100 ms of the stream.
    let mode = EBUR128_MODE_I.rawValue | peak.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
    self.channels = channels
    blockLength = (sampleRate + 5) / 10
    unsafe missing = blockLength
    guard channels > 0, sampleRate > 0,
      let state = unsafe ebur128_init(
        UInt32(clamping: channels), UInt(sampleRate), Int32(bitPattern: mode))
    else { return nil }
    unsafe self.state = state
    // libebur128 leaves out what 6.1 and 7.1 have after the six of 5.1.
    guard channels == 7 || channels == 8 else { return }
    for channel in 6..<channels {
      unsafe ebur128_set_channel(
        state, UInt32(channel),
        Int32(bitPattern: (channel == 6 ? EBUR128_LEFT_SURROUND : EBUR128_RIGHT_SURROUND).rawValue))
    }
  }

  deinit { unsafe ebur128_destroy(&state) }

  /// Takes frames of interleaved samples, and calls `body` with the mean square of each 100 ms,
  /// filtered and weighted as BS.1770 has it; `false` where memory runs out.
  package func add(_ samples: Span<Int16>, each body: (Double) -> Void) -> Bool {
    unsafe add(samples, each: body) { unsafe ebur128_add_frames_short($0, $1, $2) }
  }

  package func add(_ samples: Span<Int32>, each body: (Double) -> Void) -> Bool {
    unsafe add(samples, each: body) { unsafe ebur128_add_frames_int($0, $1, $2) }
  }

  package func add(_ samples: Span<Float>, each body: (Double) -> Void) -> Bool {
    unsafe add(samples, each: body) { unsafe ebur128_add_frames_float($0, $1, $2) }
  }

  package func add(_ samples: Span<Double>, each body: (Double) -> Void) -> Bool {
    unsafe add(samples, each: body) { unsafe ebur128_add_frames_double($0, $1, $2) }
  }

  private func add<Sample>(
    _ samples: Span<Sample>, each body: (Double) -> Void,
    with addFrames: (UnsafeMutablePointer<ebur128_state>?, UnsafePointer<Sample>?, Int) -> Int32
  ) -> Bool {
    unsafe samples.withUnsafeBufferPointer { samples in
      var frame = 0
      while frame < samples.count / channels {
        let count = unsafe min(missing, samples.count / channels - frame)
        let start = unsafe samples.baseAddress.map { unsafe $0 + frame * channels }
        guard unsafe addFrames(state, start, count) == 0 else { return false }
        frame += count
        unsafe missing -= count
        guard unsafe missing == 0 else { continue }
        unsafe missing = blockLength
        body(lastMeanSquare)
      }
      return true
    }
  }

  /// That of the last 100 ms, by way of their loudness, since libebur128 gives no other.
  private var lastMeanSquare: Double {
    var loudness = 0.0
    guard unsafe ebur128_loudness_window(state, 100, &loudness) == 0 else { return 0 }
    return pow(10, (loudness + 0.691) / 10)
  }

  /// The integrated loudness in LUFS; minus infinity where all was below the gate.
  package var integrated: Double {
    var value = 0.0
    return unsafe ebur128_loudness_global(state, &value) == 0 ? value : -.infinity
  }

  /// The highest true peak of any channel, as a factor of full scale; the highest sample's where
  /// true peaks aren't measured.
  package var peak: Double {
    (0..<channels).reduce(0) { highest, channel in
      var value = 0.0
      var result = unsafe ebur128_true_peak(state, UInt32(channel), &value)
      if result != 0 { result = unsafe ebur128_sample_peak(state, UInt32(channel), &value) }
      return result == 0 ? max(highest, value) : highest
    }
  }
}
