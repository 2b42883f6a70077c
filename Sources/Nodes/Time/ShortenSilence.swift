import GraphKit

/// Shortens the silences of audio, and the video beside it by as much.
///
/// A silence of ``over`` seconds or more lasts ``to`` seconds then: one half of what is left is from
/// its beginning, the other from its end, and what is between is left out. Audio is cut to the sample.
/// Where the video has a frame rate, a cut is a whole number of frames long, so that frames keep their
/// rate and audio and video stay together: a silence keeps up to a frame more.
public struct ShortenSilence: SwiftNode {
  /// Samples at this level or above it aren't silent, in dBFS.
  public var threshold = -50.0
  /// The shortest silence that is shortened, in seconds.
  public var over = 0.8
  /// How long it is then, in seconds.
  public var to = 0.4

  private var audio: AudioFormat?
  private var format: FormatDescription?
  private var frameRate: Rational?
  private var clock = FrameClock(sampleRate: 48_000)
  private var cutter: SilenceCutter?
  private var frames: FrameCutter?
  private var waiting: [HeldFrame] = []
  private var sent = 0

  /// A node that shortens pauses of speech.
  public init() {}

  public static let declaration = NodeDeclaration<ShortenSilence>(
    "shortenSilence", role: .effect,
    help: "Shortens silences of audio, and the video beside it by as much.",
    phrase: "shortened to {to} where it is silent for {over}",
    example: "decoder -> shortenSilence.audio -> encoder",
    parameters: [
      .number(
        "threshold", \.threshold, in: -120...0, unit: "dBFS",
        help: "Samples at this level or above it, in any channel, aren't silent."),
      .number(
        "over", \.over, in: 0.01...3_600, unit: "s",
        help: "The shortest silence that is shortened."),
      .number("to", \.to, in: 0...3_600, unit: "s", help: "How long it is then."),
    ])

  /// Audio, and video beside it.
  public struct Ports: PortSet {
    /// The audio whose silences count.
    public let audioInput = InputPort<Audio>(
      "audio", .audio([.f32], layouts: [.interleaved]), help: "The audio whose silences count.")
    /// The video that belongs to it.
    public let videoInput = InputPort<Video>(
      "video", FormatConstraint(.video), isRequired: false, help: "The video that belongs to it.")
    /// What is left of the audio.
    public let audio = OutputPort<Audio>(
      "audio", .audio([.f32], layouts: [.interleaved]), follows: "audio",
      help: "What is left of the audio.")
    /// What is left of the video.
    public let video = OutputPort<Video>(
      "video", FormatConstraint(.video), isRequired: false, follows: "video",
      help: "What is left of the video.")
    /// All of them.
    public var declarations: [PortDeclaration] {
      [
        audioInput.declaration, videoInput.declaration, audio.declaration, video.declaration,
      ]
    }
  }

  public static let ports = Ports()

  public var traits: NodeTraits { NodeTraits(movesTimes: true) }

  /// It isn't known before whether a silence is long enough.
  public var latency: MediaTime { .parameter(over) }

  public var problem: NodeError? {
    guard to > over else { return nil }
    return NodeError(
      "silences of \(over) s are to last \(to) s, which is longer",
      remedy: "give a `to` below `over`", key: "to")
  }

  public mutating func settle(formats: [String: FormatConstraint]) {
    frameRate = formats["video"]?.frameRate.flatMap { $0.numerator > 0 ? $0 : nil }
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    if case .audio(let audio) = format.format { try prepare(audio, format) }
    try outputs.announce(format, on: input)
  }

  private mutating func prepare(_ audio: AudioFormat, _ format: FormatDescription) throws {
    guard self.audio == nil || self.audio == audio else {
      throw NodeError(
        "audio changes its format while its silences are shortened",
        remedy: "put an `audioConvert` with `sampleRate` and `channels` before the input")
    }
    guard cutter == nil else { return }
    (self.audio, self.format) = (audio, format)
    clock = FrameClock(sampleRate: audio.sampleRate)
    let grid = frameRate.map { ($0.numerator, $0.denominator) } ?? (audio.sampleRate, 1)
    cutter = SilenceCutter(
      sampleRate: audio.sampleRate, channels: audio.channels,
      threshold: factor(decibels: threshold), over: over, to: to, grid: grid)
    frames = FrameCutter(grid: grid, isVariable: frameRate == nil)
    for frame in waiting { frames?.add(frame) }
    waiting = []
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    if input == 0 {
      try add(sample, to: outputs)
    } else {
      let frame = HeldFrame(sample)
      if frames == nil { waiting.append(frame) } else { frames?.add(frame) }
    }
    try sendFrames(to: outputs)
  }

  private mutating func add(_ sample: borrowing SampleBuffer, to outputs: NodeOutputs) throws {
    guard let audio else { return }
    let position = clock.position(of: sample)
    var values = sample.values()
    try fill(until: position, to: outputs)
    let late = min(max(0, (cutter?.count ?? 0) - position) * audio.channels, values.count)
    values.removeFirst(late)
    try send(cutter?.add(values) ?? [], to: outputs)
  }

  /// Takes what is missing for silence.
  private mutating func fill(until position: Int, to outputs: NodeOutputs) throws {
    guard let audio else { return }
    guard position - (cutter?.count ?? 0) < JoinedVideo.longestGap * audio.sampleRate else {
      throw NodeError(
        "the audio has a gap of more than a day", remedy: "check the times of its source")
    }
    while let count = cutter?.count, count < position {
      let length = min(position - count, audio.sampleRate)
      let silence = [Float](repeating: 0, count: length * audio.channels)
      try send(cutter?.add(silence) ?? [], to: outputs)
    }
  }

  private mutating func send(_ values: [Float], to outputs: NodeOutputs) throws {
    guard let audio, let format, !values.isEmpty else { return }
    let time = MediaTime(frames: sent, at: audio.sampleRate)
    sent += values.count / max(1, audio.channels)
    try outputs.send(.block(of: values, format, audio, at: time), on: 0)
  }

  private mutating func sendFrames(to outputs: NodeOutputs) throws {
    guard let cutter, let decided = frames?.take(decidedBy: cutter) else { return }
    for frame in decided { try outputs.send(frame.sample.share(), on: 1) }
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    guard input == 0 else { return }
    try send(cutter?.finish() ?? [], to: outputs)
    try sendFrames(to: outputs)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    // Without audio there was no silence.
    for frame in waiting { try outputs.send(frame.sample.share(), on: 1) }
    waiting = []
  }
}
