import GraphKit
import Kernels

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
    let (low, high) = PCMPairs.extremes(frames)
    return (Int16(low / 2), Int16(high / 2))
  }

  /// The same of floating-point samples, each channel's for itself, in 16 bits.
  static func pairExtremes(_ left: Span<Float>, _ right: Span<Float>) -> (low: Int16, high: Int16) {
    let (low, high) = SampleNarrowing.pairExtremes(left, right)
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

  /// Adds every `step`th sample to a sum of its own.
  static func add(_ samples: [Int16], from start: Int, step: Int, to sums: inout [Int32]) {
    let samples = samples.span
    var sums = sums.mutableSpan
    let count = min(sums.count, (samples.count - start + step - 1) / step)
    switch step {
    case 1: for index in 0..<count { sums[index] &+= Int32(samples[index]) }
    case 2: for index in 0..<count { sums[index] &+= Int32(samples[index * 2 + start]) }
    default: for index in 0..<count { sums[index] &+= Int32(samples[index * step + start]) }
    }
  }

  /// Copies every `step`th sample.
  static func copy(_ samples: [Int16], from start: Int, step: Int, to lane: inout [Int16]) {
    let samples = samples.span
    var lane = lane.mutableSpan
    let count = min(lane.count, (samples.count - start + step - 1) / step)
    switch step {
    case 1: for index in 0..<count { lane[index] = samples[index] }
    case 2: for index in 0..<count { lane[index] = samples[index * 2 + start] }
    default: for index in 0..<count { lane[index] = samples[index * step + start] }
    }
  }

  /// Divides sums by how many samples each is of, rounded towards zero.
  static func divide(_ sums: [Int32], by divisor: Int32, into lane: inout [Int16]) {
    let sums = sums.span
    var lane = lane.mutableSpan
    let count = min(lane.count, sums.count)
    if divisor == 2 {
      for index in 0..<count { lane[index] = Int16(truncatingIfNeeded: sums[index] / 2) }
    } else {
      for index in 0..<count { lane[index] = Int16(truncatingIfNeeded: sums[index] / divisor) }
    }
  }
}
