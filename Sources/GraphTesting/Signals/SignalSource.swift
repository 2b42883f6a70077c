import GraphKit

/// A source of one ``AudioSignal``, in blocks from a pool.
public struct SignalSource: SourceNode {
  /// The shapes that there are.
  public enum Shape: String, CaseIterable, Sendable { case silence, tone, impulse, ramp, noise }

  /// The shape.
  public var shape = Shape.tone
  /// The pitch of a tone, in hertz.
  public var frequency = 440.0
  /// The frame of an impulse.
  public var impulseFrame = 0
  /// What noise begins with.
  public var seed = 1
  /// How many frames in all.
  public var frames = 48_000
  /// Frames of a block.
  public var blockFrames = 1024
  /// Samples a second.
  public var sampleRate = 48_000
  /// The number of channels.
  public var channels = 2
  private var next = 0
  private var pool: BlockPool?

  /// A second of a tone.
  public init() {}

  /// Some frames of a shape.
  public init(_ shape: Shape, frames: Int, channels: Int = 2) {
    self.shape = shape
    self.frames = frames
    self.channels = channels
  }

  public static let declaration = NodeDeclaration<SignalSource>(
    "signal", role: .source, help: "Synthetic audio whose every sample is known.",
    example: "signal -> gain",
    parameters: [
      .choice("shape", \.shape, help: "The waveform."),
      .number("frequency", \.frequency, in: 0...100_000, unit: "Hz", help: "Of a tone."),
      .integer("impulseFrame", \.impulseFrame, in: 0...1_000_000_000, help: "Of an impulse."),
      .integer("seed", \.seed, in: 0...1_000_000_000, help: "What noise begins with."),
      .integer("frames", \.frames, in: 0...1_000_000_000, help: "How many frames in all."),
      .integer("blockFrames", \.blockFrames, in: 1...1_000_000, help: "Frames of a block."),
      .integer("sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz", help: "Frames a second."),
      .integer("channels", \.channels, in: 1...63, help: "The number of channels, all alike."),
    ])

  public static let ports = SourcePorts<Audio>(help: "The audio, as f32.")

  public var portDeclarations: [PortDeclaration] {
    let format = FormatConstraint.audio(
      [.f32], layouts: [.interleaved], sampleRates: [sampleRate], channels: [channels])
    return [PortDeclaration("out", .output, format, help: "The audio, as f32.")]
  }

  /// The signal that the parameters describe.
  public var signal: AudioSignal {
    switch shape {
    case .silence: .silence
    case .tone: .tone(hertz: frequency)
    case .impulse: .impulse(frame: impulseFrame)
    case .ramp: .ramp
    case .noise: .noise(seed: UInt64(seed.magnitude))
    }
  }

  public mutating func start(to outputs: NodeOutputs) throws {
    let format = AudioFormat(.f32, sampleRate: sampleRate, channels: channels)
    let pool = try BlockPool(format, frameCount: blockFrames)
    self.pool = pool
    try outputs.announce(pool.format, on: 0)
  }

  public mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard let pool, next < frames else { return false }
    let end = min(frames, next + blockFrames)
    var block = try pool.take()
    fill(&block, next..<end)
    block.presentationTime = MediaTime(frames: next, at: sampleRate)
    block.duration = MediaTime(frames: end, at: sampleRate) - block.presentationTime
    try outputs.send(block)
    next = end
    return next < frames
  }

  private func fill(_ block: inout SampleBuffer, _ range: Range<Int>) {
    let bytesPerFrame = channels * MemoryLayout<Float>.stride
    block.trim(offset: 0, byteCount: range.count * bytesPerFrame)
    let signal = signal
    guard var samples = try? block.audioBlock() else { return }
    var span = samples.samples(as: Float.self)
    for index in span.indices {
      span[index] = signal.value(at: range.lowerBound + index / channels, sampleRate: sampleRate)
    }
  }
}
