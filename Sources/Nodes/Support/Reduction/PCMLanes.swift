import GraphKit
import Kernels

/// The channels of blocks, each as 16-bit samples of its own, or all of them mixed into one: the
/// mean of the channels, rounded towards zero.
struct PCMLanes: Sendable {
  /// The samples of each lane; as many as the last block had frames.
  private(set) var lanes: [[Int16]]
  private let isMixed: Bool
  /// The last block's samples, as they lay.
  private var samples: [Int16] = []
  /// The sum of each frame's channels, where they are mixed.
  private var sums: [Int32] = []

  init(channels: Int, isMixed: Bool) {
    lanes = Array(repeating: [], count: isMixed ? 1 : channels)
    self.isMixed = isMixed
  }

  /// Reads a block.
  mutating func read(_ block: borrowing PCMBlock) {
    let channels = block.format.channels
    let isPlanar = block.format.layout == .planar && channels > 1
    for lane in lanes.indices { lanes[lane].resize(to: block.frameCount) }
    if isMixed { sums.clear(block.frameCount) }
    if !isPlanar { NarrowPCM.read(block, into: &samples) }
    for channel in 0..<channels {
      if isPlanar { NarrowPCM.read(block, channel: channel, into: &samples) }
      let (start, step) = isPlanar ? (0, 1) : (channel, channels)
      if isMixed {
        PCMKernels.add(samples, from: start, step: step, to: &sums)
      } else {
        PCMKernels.copy(samples, from: start, step: step, to: &lanes[channel])
      }
    }
    if isMixed { PCMKernels.divide(sums, by: Int32(channels), into: &lanes[0]) }
  }
}

/// Samples of any PCM format in 16 bits.
///
/// Wider ones lose their lower bits, and floating-point ones are multiplied by 32767 and cut off
/// towards zero, as libsndfile and audiowaveform do; what is beyond the range is clipped.
enum NarrowPCM {
  /// Reads the samples of an interleaved block, frame after frame.
  static func read(_ block: borrowing PCMBlock, into samples: inout [Int16]) {
    samples.resize(to: block.frameCount * block.format.channels)
    switch block.format.sampleFormat {
    case .u8: narrow(block.samples(as: UInt8.self), into: &samples, bytes)
    case .s16: narrow(block.samples(as: Int16.self), into: &samples) { $0 }
    case .s24: readTriples(block, into: &samples)
    case .s32: narrow(block.samples(as: Int32.self), into: &samples, upperHalf)
    case .f32: narrow(block.samples(as: Float.self), into: &samples)
    case .f64: narrow(block.samples(as: Double.self), into: &samples, scaled)
    }
  }

  /// Reads the samples of one channel of a planar block.
  static func read(_ block: borrowing PCMBlock, channel: Int, into samples: inout [Int16]) {
    samples.resize(to: block.frameCount)
    switch block.format.sampleFormat {
    case .u8: narrow(block.channel(channel, as: UInt8.self), into: &samples, bytes)
    case .s16: narrow(block.channel(channel, as: Int16.self), into: &samples) { $0 }
    case .s24: samples.clear(block.frameCount)
    case .s32: narrow(block.channel(channel, as: Int32.self), into: &samples, upperHalf)
    case .f32: narrow(block.channel(channel, as: Float.self), into: &samples)
    case .f64: narrow(block.channel(channel, as: Double.self), into: &samples, scaled)
    }
  }

  private static func bytes(_ sample: UInt8) -> Int16 { (Int16(sample) &- 128) &<< 8 }

  private static func upperHalf(_ sample: Int32) -> Int16 {
    Int16(truncatingIfNeeded: sample >> 16)
  }

  /// As ``SampleNarrowing`` has it; what is not a number is silence.
  private static func scaled(_ sample: Double) -> Int16 {
    let scaled = Float(sample) * 32_767
    return scaled.isNaN ? 0 : Int16(min(max(scaled, -32_768), 32_767))
  }

  private static func narrow(_ span: Span<Float>, into samples: inout [Int16]) {
    var target = samples.mutableSpan
    SampleNarrowing.narrow(span, into: &target)
  }

  @inline(__always)
  private static func narrow<Sample: BitwiseCopyable>(
    _ span: Span<Sample>, into samples: inout [Int16], _ narrow: (Sample) -> Int16
  ) {
    var target = samples.mutableSpan
    for index in 0..<min(span.count, target.count) { target[index] = narrow(span[index]) }
  }

  /// Three bytes a sample, the lowest of which doesn't count.
  private static func readTriples(_ block: borrowing PCMBlock, into samples: inout [Int16]) {
    let bytes = block.bytes()
    for index in samples.indices where index * 3 + 2 < bytes.count {
      samples[index] =
        Int16(truncatingIfNeeded: Int(bytes[index * 3 + 1]) | Int(bytes[index * 3 + 2]) << 8)
    }
  }
}

extension Array where Element: FixedWidthInteger {
  /// Gives the array a length; what is in it then is of no meaning.
  fileprivate mutating func resize(to count: Int) {
    if self.count != count { self = Array(repeating: 0, count: count) }
  }

  /// Makes the array so many zeros.
  fileprivate mutating func clear(_ count: Int) {
    resize(to: count)
    var span = mutableSpan
    for index in span.indices { span[index] = 0 }
  }
}
