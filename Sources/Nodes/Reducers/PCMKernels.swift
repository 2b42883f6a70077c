/// Loops over 16-bit samples, plain enough for the compiler to use the processor's vectors.
enum PCMKernels {
  /// The lowest and the highest sample; at least one.
  static func extremes(_ samples: Span<Int16>) -> (low: Int16, high: Int16) {
    var (low, high) = (Int16.max, Int16.min)
    for index in samples.indices {
      let sample = samples[index]
      low = sample < low ? sample : low
      high = sample > high ? sample : high
    }
    return (low, high)
  }

  /// The lowest and the highest mean of the two channels of each frame, rounded towards zero.
  ///
  /// Halving keeps the order, so it is enough to halve what is lowest and highest of the sums.
  static func pairExtremes(_ frames: Span<Int32>) -> (low: Int16, high: Int16) {
    var (low, high) = (Int32.max, Int32.min)
    for index in frames.indices {
      let frame = frames[index]
      let sum = (frame &<< 16) &>> 16 &+ (frame &>> 16)
      low = sum < low ? sum : low
      high = sum > high ? sum : high
    }
    return (Int16(low / 2), Int16(high / 2))
  }

  /// The sum of the squares.
  static func squares(_ samples: Span<Int16>) -> UInt64 {
    var sum: Int64 = 0
    for index in samples.indices {
      let sample = Int32(samples[index])
      sum &+= Int64(sample &* sample)
    }
    return UInt64(sum)
  }

  /// The sum of the magnitudes.
  static func magnitudes(_ samples: Span<Int16>) -> UInt64 {
    var sum: Int64 = 0
    for index in samples.indices {
      let sample = Int32(samples[index])
      sum &+= Int64(sample < 0 ? 0 &- sample : sample)
    }
    return UInt64(sum)
  }
}
