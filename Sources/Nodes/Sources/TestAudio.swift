import GraphKit

/// A test tone or noise, from `audiotestsrc`.
public struct TestAudio: ElementNode {
  /// The waveforms that there are.
  public enum Wave: String, CaseIterable, Sendable {
    case sine, square, saw, triangle, silence, ticks
    case whiteNoise = "white-noise"
    case pinkNoise = "pink-noise"
  }

  /// The waveform.
  public var wave = Wave.sine
  /// Its pitch, in hertz.
  public var frequency = 440.0
  /// Its amplitude, from 0 to 1.
  public var volume = 0.8
  /// How samples are stored.
  public var sampleFormat = SampleFormat.f32
  /// How channels lie in a block.
  public var layout = ChannelLayout.interleaved
  /// Samples a second of each channel.
  public var sampleRate = 48_000
  /// The number of channels.
  public var channels = 2
  /// How long, in seconds; `nil` for as many sample frames as ``frames`` says.
  public var seconds: Double?
  /// How many sample frames; `nil` for as long as ``seconds`` says, or for ever.
  public var frames: Int?
  /// Whether samples come as time passes.
  public var live = false

  /// An endless tone.
  public init() {}

  public static let declaration = NodeDeclaration<TestAudio>(
    "testAudio", role: .source, help: "A tone or noise, for a time or for ever.",
    phrase: "generated",
    example: "tone -> audioEncoder",
    parameters: [
      .choice("wave", \.wave, help: "The waveform."),
      .number("frequency", \.frequency, in: 0...1_000_000, unit: "Hz", help: "The pitch."),
      .number("volume", \.volume, in: 0...1, help: "The amplitude."),
      .choice("sampleFormat", \.sampleFormat, help: "How samples are stored."),
      .choice("layout", \.layout, help: "How channels lie in a block."),
      .integer(
        "sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz", help: "Sample frames a second."),
      .integer("channels", \.channels, in: 1...8, help: "The number of channels."),
      .number(
        "seconds", \.seconds, in: 0...1_000_000, unit: "s",
        help: "How long it lasts; for ever where neither this nor `frames` is given, or at 0."),
      .integer("frames", \.frames, in: 0...1_000_000_000_000, help: "How many sample frames."),
      .bool("live", \.live, help: "Whether samples come as time passes, as from a microphone."),
    ])

  public static let ports = SourcePorts<Audio>(help: "The test signal.")

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, format, help: "The test signal.")]
  }

  public var traits: NodeTraits { NodeTraits(isLive: live) }
  public var problem: NodeError? {
    if seconds != nil, frames != nil { return .twoLengths }
    guard blocks.count > Int(Int32.max) else { return nil }
    return NodeError(
      "the stream is too long", remedy: "give fewer frames",
      key: frames == nil ? "seconds" : "frames")
  }

  private var format: FormatConstraint {
    .audio([sampleFormat], layouts: [layout], sampleRates: [sampleRate], channels: [channels])
  }

  /// Blocks and sample frames of each. The element cuts no block, so a length that is to be exact
  /// must be a whole number of them.
  var blocks: (count: Int, size: Int) {
    let usual = max(1, min(1024, sampleRate / 40))
    let total = frames ?? seconds.flatMap { Int(exactly: ($0 * Double(sampleRate)).rounded()) } ?? 0
    guard total > 0 else { return (-1, usual) }
    let size = Self.blockSize(of: total, usual: usual)
    return (total / size, size)
  }

  /// A divisor of the total: the largest up to twice the usual size, unless that is tiny, where
  /// large blocks are better than a great many.
  private static func blockSize(of total: Int, usual: Int) -> Int {
    func largest(upTo limit: Int) -> Int {
      stride(from: min(limit, total), to: 1, by: -1).first { total % $0 == 0 } ?? 1
    }
    let near = largest(upTo: usual * 2)
    return near * 8 >= usual || near == total ? near : largest(upTo: 65_536)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let blocks = blocks
    let source = ElementSpec(
      "audiotestsrc", plugin: "audiotestsrc",
      [
        "wave": wave.rawValue, "freq": "\(frequency)", "volume": "\(volume)",
        "is-live": "\(live)", "samplesperbuffer": "\(blocks.size)",
        "num-buffers": "\(blocks.count)",
      ])
    var chain = ElementChain([source, .filter(format)], inputs: [:])
    // It calls itself `audiotest wave`, which files would say of what is recorded of it.
    chain.filters["out"] = [.withoutTags]
    if wave == .ticks {
      chain.filters["out"]?.append(.samples { sample in sample.writeTickStarts() })
    }
    return [chain]
  }
}

extension SampleBuffer {
  /// Makes silence of the first sample of each tick. The element leaves that one as it was in memory
  /// (`gst_audio_test_src_create_tick` up to GStreamer 1.22), where it counts from the end of the
  /// buffer.
  fileprivate mutating func writeTickStarts() {
    guard case .audio(let audio) = format.format, let first = streamOffset, first < Int.max / 2
    else { return }
    let (rate, size) = (audio.sampleRate, audio.bytesPerFrame)
    guard rate > 0, size > 0 else { return }
    let frames = byteCount / size
    let start = (rate - (first + frames) % rate) % rate
    guard start < frames else { return }
    let width = size / max(1, audio.channels)
    withMutableBytes { bytes in
      for frame in stride(from: start, to: frames, by: rate) {
        for channel in 0..<audio.channels {
          let place =
            audio.layout == .planar
            ? (channel * frames + frame) * width : frame * size + channel * width
          for index in place..<min(place + width, bytes.count) { bytes[index] = 0 }
        }
      }
    }
  }
}
