import GraphKit

/// The audio of one block as floating point, channel after channel: what effects compute on.
///
/// Full scale is 1, which stands for 32,768 in s16. What isn't a finite number is silence, so that
/// nothing that an effect remembers is ever spoilt by it.
struct PlanarAudio: Sendable {
  /// The levels: those of channel `c` begin at `c * frameCount`. There may be more after them.
  var levels: [Float] = []
  /// Levels of each channel.
  private(set) var frameCount = 0
  /// The number of channels.
  private(set) var channels = 0

  /// Takes the levels of a block of f32 or s16.
  mutating func read(_ block: inout AudioBlock) {
    (frameCount, channels) = (block.frameCount, block.channelCount)
    let missing = frameCount * channels - levels.count
    if missing > 0 { levels.append(contentsOf: repeatElement(0, count: missing)) }
    let order = SampleOrder(block)
    if block.format.sampleFormat == .s16 {
      read(block.samples(as: Int16.self), order)
    } else {
      read(block.samples(as: Float.self), order)
    }
  }

  /// Makes it silence.
  mutating func set(frames: Int, channels: Int) {
    (frameCount, self.channels) = (frames, channels)
    levels = Array(repeating: 0, count: frames * channels)
  }

  /// Multiplies all of it by one factor.
  mutating func multiply(by factor: Float) {
    for index in 0..<frameCount * channels { levels[index] *= factor }
  }

  /// Gives the levels back to the block that they came from.
  func write(_ block: inout AudioBlock) {
    let order = SampleOrder(block)
    if block.format.sampleFormat == .s16 {
      write(block.samples(as: Int16.self), order)
    } else {
      write(block.samples(as: Float.self), order)
    }
  }

  private mutating func read<Sample: EffectSample>(
    _ samples: consuming MutableSpan<Sample>, _ order: SampleOrder
  ) {
    for channel in 0..<channels {
      let (from, to) = (channel * order.channelStep, channel * frameCount)
      for frame in 0..<frameCount {
        levels[to + frame] = samples[from + frame * order.frameStep].level
      }
    }
  }

  private func write<Sample: EffectSample>(
    _ samples: consuming MutableSpan<Sample>, _ order: SampleOrder
  ) {
    for channel in 0..<channels {
      let (from, to) = (channel * frameCount, channel * order.channelStep)
      for frame in 0..<frameCount {
        samples[to + frame * order.frameStep] = Sample(level: levels[from + frame])
      }
    }
  }

  /// Multiplies each frame of all channels by a factor of its own.
  mutating func multiply(by factors: [Float]) {
    for channel in 0..<channels { multiply(channel, by: factors) }
  }

  /// Multiplies each frame of one channel by a factor of its own.
  mutating func multiply(_ channel: Int, by factors: [Float]) {
    let start = channel * frameCount
    for frame in 0..<frameCount { levels[start + frame] *= factors[frame] }
  }

  /// The highest level of any channel in each frame, whatever its sign.
  func peaks(into peaks: inout [Float]) {
    peaks.removeAll(keepingCapacity: true)
    peaks.append(contentsOf: repeatElement(0, count: frameCount))
    for channel in 0..<channels {
      let start = channel * frameCount
      for frame in 0..<frameCount {
        let level = abs(levels[start + frame])
        if level > peaks[frame] { peaks[frame] = level }
      }
    }
  }
}

/// Where the samples of a block lie.
private struct SampleOrder {
  let frameStep: Int
  let channelStep: Int

  init(_ block: borrowing AudioBlock) {
    let isPlanar = block.format.layout == .planar
    frameStep = isPlanar ? 1 : block.format.channels
    channelStep = isPlanar ? block.frameCount : 1
  }
}

/// A stored sample that effects work on.
private protocol EffectSample: BitwiseCopyable {
  /// The sample with full scale at 1.
  var level: Float { get }
  /// The nearest sample; silence for what is no number.
  init(level: Float)
}

extension Float: EffectSample {
  fileprivate var level: Float { isFinite ? self : 0 }
  fileprivate init(level: Float) { self = level.level }
}

extension Int16: EffectSample {
  fileprivate var level: Float { Float(self) / 32_768 }

  fileprivate init(level: Float) {
    let scaled = (level * 32_768).rounded(.toNearestOrEven)
    self = scaled > -32_768 ? scaled < 32_767 ? Int16(scaled) : 32_767 : -32_768
  }
}

extension AudioFormat {
  /// Throws where an effect can't work on such samples.
  func expectEffectSamples(_ node: String) throws(NodeError) {
    guard sampleFormat == .f32 || sampleFormat == .s16 else {
      throw NodeError(
        "\(node) works on f32 and s16, not on \(sampleFormat.rawValue)",
        remedy: "put an audioConvert before it", key: "in")
    }
  }
}
