import GraphKit

/// The channels of blocks, each as 16-bit samples of its own, or all of them mixed into one: the
/// mean of the channels, rounded towards zero.
struct PCMLanes: Sendable {
  /// The samples of each lane; as many as the last block had frames.
  private(set) var lanes: [[Int16]]
  private let isMixed: Bool
  /// The last block's samples, frame after frame.
  private var samples: [Int16] = []

  init(channels: Int, isMixed: Bool) {
    lanes = Array(repeating: [], count: isMixed ? 1 : channels)
    self.isMixed = isMixed
  }

  /// Reads a block.
  mutating func read(_ block: borrowing PCMBlock) {
    let channels = block.format.channels
    NarrowPCM.read(block, into: &samples)
    for lane in lanes.indices where lanes[lane].count != block.frameCount {
      lanes[lane] = Array(repeating: 0, count: block.frameCount)
    }
    if isMixed {
      mix(channels)
    } else {
      for channel in lanes.indices { split(channel, of: channels) }
    }
  }

  private mutating func split(_ channel: Int, of channels: Int) {
    var index = channel
    for frame in lanes[channel].indices {
      lanes[channel][frame] = samples[index]
      index += channels
    }
  }

  private mutating func mix(_ channels: Int) {
    let divisor = Int32(channels)
    var index = 0
    for frame in lanes[0].indices {
      var sum: Int32 = 0
      for _ in 0..<channels {
        sum &+= Int32(samples[index])
        index += 1
      }
      lanes[0][frame] = Int16(sum / divisor)
    }
  }
}

/// Samples of any PCM format in 16 bits.
///
/// Wider ones lose their lower bits, and floating-point ones are multiplied by 32767 and cut off
/// towards zero, as libsndfile and audiowaveform do; what is beyond the range is clipped.
enum NarrowPCM {
  /// Reads a block's samples, frame after frame.
  static func read(_ block: borrowing PCMBlock, into samples: inout [Int16]) {
    let count = block.frameCount * block.format.channels
    if samples.count != count { samples = Array(repeating: 0, count: count) }
    switch block.format.sampleFormat {
    case .u8: read(block, as: UInt8.self, into: &samples) { (Int16($0) &- 128) &<< 8 }
    case .s16: read(block, as: Int16.self, into: &samples) { $0 }
    case .s24: readTriples(block, into: &samples)
    case .s32: read(block, as: Int32.self, into: &samples) { Int16(truncatingIfNeeded: $0 >> 16) }
    case .f32: read(block, as: Float.self, into: &samples, scaled)
    case .f64: read(block, as: Double.self, into: &samples) { scaled(Float($0)) }
    }
  }

  private static func scaled(_ sample: Float) -> Int16 {
    let scaled = sample * 32_767
    // Not a number compares as false, and becomes silence.
    return scaled >= 32_767 ? .max : scaled <= -32_768 ? .min : scaled == scaled ? Int16(scaled) : 0
  }

  private static func read<Sample: BitwiseCopyable>(
    _ block: borrowing PCMBlock, as type: Sample.Type, into samples: inout [Int16],
    _ narrow: (Sample) -> Int16
  ) {
    let channels = block.format.channels
    guard block.format.layout == .planar, channels > 1 else {
      let span = block.samples(as: type)
      for index in span.indices { samples[index] = narrow(span[index]) }
      return
    }
    for channel in 0..<channels {
      let span = block.channel(channel, as: type)
      for index in span.indices { samples[index * channels + channel] = narrow(span[index]) }
    }
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
