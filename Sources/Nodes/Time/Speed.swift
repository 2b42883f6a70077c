import GraphKit

/// Plays audio or video faster or slower.
///
/// What is at `t` seconds leaves at `t / speed`, so audio and video stay together where both pass
/// through a node of the same speed.
public struct Speed: SwiftNode {
  /// Which frames leave.
  public enum Frames: String, CaseIterable, Sendable {
    /// As many a second as came: some are left out, or repeated.
    case choose
    /// As many a second as came: mixes of those that are on screen around each.
    case blend
    /// All of them, at another frame rate.
    case all
  }

  /// What becomes of the pitch of audio.
  public enum Pitch: String, CaseIterable, Sendable {
    /// It stays.
    case keep
    /// It rises with the speed, as that of a tape does.
    case follow
  }

  /// Whether it is for audio or video; `nil` for what it is wired to.
  public var media: RawMedia?
  /// How many seconds of the input a second has.
  public var speed = 1.0
  /// Which frames of video leave.
  public var frames = Frames.choose
  /// What becomes of the pitch of audio.
  public var pitch = Pitch.keep

  /// What it is wired to.
  private var wired: RawMedia?
  private var known = KnownTimes()
  private var pacer: FramePacer?
  private var stretch: AudioSpeed?
  private var format: FormatDescription?

  /// A node that changes nothing.
  public init() {}

  public static let declaration = NodeDeclaration<Speed>(
    "speed", role: .effect, help: "Plays audio or video faster or slower.",
    phrase: "played at another speed",
    example: "decoder -> speed -> encoder",
    parameters: [
      .choice(
        "media", \.media, help: "Whether it is for audio or video; left out, what it is wired to."),
      .number(
        "speed", \.speed, in: 0.1...100,
        help: "How many seconds of the input become one: 2 is twice as fast."),
      .choice(
        "frames", \.frames,
        help: "At the old frame rate, the frames on screen (choose) or mixes; or all of them."),
      .choice("pitch", \.pitch, help: "Whether the pitch of audio stays, or follows the speed."),
    ])

  public static let ports = EffectPorts<AnyMedia>()

  public mutating func adopt(_ medium: MediaKind) -> Bool {
    wired = RawMedia(medium)
    return media == nil
  }

  private var medium: RawMedia? { media ?? wired }

  public var portDeclarations: [PortDeclaration] {
    RawMedia.ports(of: medium, input: "Raw audio or video.", output: "The same, faster or slower.")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    RawMedia.problem(of: formats, remedy: RawMedia.drawingRemedy)
  }

  public var traits: NodeTraits {
    var traits = NodeTraits(movesTimes: speed != 1)
    if speed != 1 { traits.timeChange = TimeChange(speed: speed) }
    return traits
  }

  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    guard speed != 1 else { return .zero }
    // A window of the stretch, and what it is looked for in; or what the resampler's filter spans.
    return medium == .audio
      ? MediaTime(value: 1, timescale: 10) : .frames(2, at: formats["in"]?.frameRate)
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    switch format.format {
    case .video(let video): try prepare(format, video, outputs)
    case .audio(let audio):
      let rest = stretch?.finish() ?? []
      try send(rest, outputs)
      stretch = AudioSpeed(speed, keepsPitch: pitch == .keep, format, audio)
      try outputs.announce(format, on: 0)
    default:
      throw NodeError("\(format) is neither raw audio nor raw video", remedy: "decode it before")
    }
  }

  private mutating func prepare(
    _ format: FormatDescription, _ video: VideoFormat, _ outputs: NodeOutputs
  ) throws {
    let rate = video.frameRate.flatMap { $0 > Rational(0) ? $0 : nil }
    guard let rate, frames != .all, speed != 1 else {
      let leaving =
        speed == 1 ? format : try format.withFrameRate(rate.flatMap { $0.multiplied(by: speed) })
      self.format = leaving
      return try outputs.announce(leaving, on: 0)
    }
    if pacer == nil { pacer = FramePacer(rate, frames == .blend ? .blend : .choose) }
    self.format = format
    try pacer?.begin(format, to: outputs)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    if speed == 1 { return try outputs.send(sample) }
    known.complete(&sample)
    if let blocks = stretch?.add(sample) { return try send(blocks, outputs) }
    sample.duration = sample.duration.slowed(by: speed)
    sample.presentationTime = sample.presentationTime.slowed(by: speed)
    sample.decodeTime = .invalid
    if pacer == nil {
      if let format { sample.format = format }
      return try outputs.send(sample)
    }
    try pacer?.add(HeldFrame(sample), to: outputs)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    try pacer?.finish(to: outputs)
    let rest = stretch?.finish() ?? []
    try send(rest, outputs)
  }

  private func send(_ blocks: [HeldFrame], _ outputs: NodeOutputs) throws {
    for block in blocks { try outputs.send(block.sample.share()) }
  }
}

extension MediaTime {
  /// The time at another speed, to the nanosecond.
  func slowed(by speed: Double) -> MediaTime {
    guard let nanoseconds else { return self }
    return MediaTime(nanoseconds: Int64((Double(nanoseconds) / speed).rounded()))
  }
}

extension Rational {
  /// The product, where the factor is a fraction of small numbers.
  func multiplied(by factor: Double) -> Rational? {
    let thousandths = (factor * 1_000).rounded()
    guard abs(thousandths / 1_000 - factor) < 1e-9, numerator < 1_000_000, denominator < 1_000_000
    else { return nil }
    return Rational(numerator * Int(thousandths), over: denominator * 1_000)
  }
}
