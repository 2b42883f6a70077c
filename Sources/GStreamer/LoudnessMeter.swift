import CEBUR128

/// A measurement of loudness by libebur128, after EBU R 128 and ITU-R BS.1770.
@safe package final class LoudnessMeter: @unchecked Sendable {
  // Unchecked because a meter belongs to one thread at a time: libebur128 has no locks.
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channels: Int

  /// A meter; `nil` where libebur128 doesn't take so many channels or such a rate.
  package init?(channels: Int, sampleRate: Int, measuresTruePeak: Bool) {
    let basics = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue
    let peak = measuresTruePeak ? EBUR128_MODE_TRUE_PEAK : EBUR128_MODE_SAMPLE_PEAK
    // The histogram holds 1000 counts in place of one value for each 100 ms of the stream.
    let mode = basics | peak.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
    self.channels = channels
    guard channels > 0, sampleRate > 0,
      let state = unsafe ebur128_init(
        UInt32(clamping: channels), UInt(sampleRate), Int32(bitPattern: mode))
    else { return nil }
    unsafe self.state = state
  }

  deinit { unsafe ebur128_destroy(&state) }

  /// Takes frames of interleaved samples; `false` where memory runs out.
  package func add(_ samples: Span<Int16>) -> Bool {
    unsafe samples.withUnsafeBufferPointer {
      unsafe ebur128_add_frames_short(state, $0.baseAddress, $0.count / channels) == 0
    }
  }

  package func add(_ samples: Span<Int32>) -> Bool {
    unsafe samples.withUnsafeBufferPointer {
      unsafe ebur128_add_frames_int(state, $0.baseAddress, $0.count / channels) == 0
    }
  }

  package func add(_ samples: Span<Float>) -> Bool {
    unsafe samples.withUnsafeBufferPointer {
      unsafe ebur128_add_frames_float(state, $0.baseAddress, $0.count / channels) == 0
    }
  }

  package func add(_ samples: Span<Double>) -> Bool {
    unsafe samples.withUnsafeBufferPointer {
      unsafe ebur128_add_frames_double(state, $0.baseAddress, $0.count / channels) == 0
    }
  }

  /// The integrated loudness in LUFS; minus infinity where all was below the gate.
  package var integrated: Double {
    var value = 0.0
    return unsafe ebur128_loudness_global(state, &value) == 0 ? value : -.infinity
  }

  /// The loudness range in LU.
  package var range: Double {
    var value = 0.0
    return unsafe ebur128_loudness_range(state, &value) == 0 ? value : 0
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
