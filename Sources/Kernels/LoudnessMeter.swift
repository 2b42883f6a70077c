import CEBUR128
import Glibc

/// A measurement of a stretch of audio by libebur128, after EBU R 128 and ITU-R BS.1770.
@safe package struct LoudnessMeter: Sendable {
  /// How samples are stored.
  package enum Samples: Sendable { case int16, int32, float, double }

  /// Where the speaker of a channel is: those around the listener count 1.5 dB more, and low-frequency
  /// effects not at all (BS.1770).
  package enum Place: Sendable { case front, surround, lowFrequency }

  /// What a stretch has.
  package struct Stretch: Sendable {
    /// The mean squares of each 100 ms that are whole, filtered and weighted as BS.1770 has it.
    package var meanSquares: [Double] = []
    /// The highest peak of any channel, as a factor of full scale.
    package var peak = 0.0
  }

  private let channels: Int
  private let places: [Place]
  private let sampleRate: Int
  private let measuresTruePeak: Bool
  /// Frames of 100 ms, as libebur128 counts them.
  package let blockLength: Int

  /// A meter; `nil` where libebur128 doesn't take so many channels or such a rate. Without `places`, the
  /// first six are as 5.1 has them, and others don't count.
  package init?(channels: Int, places: [Place], sampleRate: Int, measuresTruePeak: Bool) {
    (self.channels, self.places, self.sampleRate) = (channels, places, sampleRate)
    self.measuresTruePeak = measuresTruePeak
    blockLength = (sampleRate + 5) / 10
    guard unsafe withState({ _ in true }) else { return nil }
  }

  /// Measures frames of interleaved samples. What leads in only brings the filters to where they would
  /// be. `nil` where memory runs out.
  package func measure(
    _ bytes: Span<UInt8>, as samples: Samples, leadIn: Int
  ) -> Stretch? {
    unsafe bytes.withUnsafeBytes { bytes in
      switch samples {
      case .int16:
        unsafe measure(bytes, Int16.self, leadIn) { unsafe ebur128_add_frames_short($0, $1, $2) }
      case .int32:
        unsafe measure(bytes, Int32.self, leadIn) { unsafe ebur128_add_frames_int($0, $1, $2) }
      case .float:
        unsafe measure(bytes, Float.self, leadIn) { unsafe ebur128_add_frames_float($0, $1, $2) }
      case .double:
        unsafe measure(bytes, Double.self, leadIn) { unsafe ebur128_add_frames_double($0, $1, $2) }
      }
    }
  }

  private typealias State = UnsafeMutablePointer<ebur128_state>

  private func measure<Sample>(
    _ bytes: UnsafeRawBufferPointer, _ type: Sample.Type, _ leadIn: Int,
    with addFrames: (State?, UnsafePointer<Sample>?, Int) -> Int32
  ) -> Stretch? {
    let frame = channels * MemoryLayout<Sample>.stride
    let count = bytes.count / frame
    let samples = unsafe bytes.baseAddress?.assumingMemoryBound(to: Sample.self)
    var stretch = Stretch()
    let isMeasured = unsafe withState { state in
      var next = 0
      while next < count {
        // By themselves: peaks are those of the last call.
        let length = min(next < leadIn ? leadIn - next : blockLength, count - next)
        let start = unsafe samples.map { unsafe $0 + next * channels }
        guard unsafe addFrames(state, start, length) == 0 else { return false }
        if next >= leadIn {
          unsafe stretch.peak = max(stretch.peak, lastPeak(of: state))
          if length == blockLength { unsafe stretch.meanSquares.append(lastMeanSquare(of: state)) }
        }
        next += length
      }
      return true
    }
    return isMeasured ? stretch : nil
  }

  /// Calls `body` with a new state of libebur128, which belongs to it; `false` where there is none.
  private func withState(_ body: (State) -> Bool) -> Bool {
    let peak = measuresTruePeak ? EBUR128_MODE_TRUE_PEAK : EBUR128_MODE_SAMPLE_PEAK
    guard channels > 0, sampleRate > 0,
      let made = unsafe ebur128_init(
        UInt32(clamping: channels), UInt(sampleRate),
        Int32(bitPattern: EBUR128_MODE_M.rawValue | peak.rawValue))
    else { return false }
    var state: State? = unsafe made
    defer { unsafe ebur128_destroy(&state) }
    for (channel, place) in places.enumerated() {
      unsafe ebur128_set_channel(made, UInt32(channel), Int32(bitPattern: place.value.rawValue))
    }
    return unsafe body(made)
  }

  /// That of the last 100 ms, by way of their loudness, since libebur128 gives no other.
  private func lastMeanSquare(of state: State) -> Double {
    var loudness = 0.0
    guard unsafe ebur128_loudness_window(state, 100, &loudness) == 0 else { return 0 }
    return pow(10, (loudness + 0.691) / 10)
  }

  private func lastPeak(of state: State) -> Double {
    (0..<channels).reduce(0) { highest, channel in
      var value = 0.0
      let result =
        measuresTruePeak
        ? unsafe ebur128_prev_true_peak(state, UInt32(channel), &value)
        : unsafe ebur128_prev_sample_peak(state, UInt32(channel), &value)
      return result == 0 ? max(highest, value) : highest
    }
  }
}

extension LoudnessMeter.Place {
  fileprivate var value: channel {
    switch self {
    case .front: EBUR128_CENTER
    case .surround: EBUR128_LEFT_SURROUND
    case .lowFrequency: EBUR128_UNUSED
    }
  }
}
