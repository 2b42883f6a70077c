import GraphKit

/// Lets a part of a stream through, exact to the sample and to the frame.
///
/// The part begins at zero: what is on screen at its first moment is its first frame, for as long as
/// it is shown after that. It ends with the last frame that begins before its end, shortened to that.
/// Where it is over, its source is read no further.
public struct Trim: SwiftNode {
  /// Whether it is for audio or video; `nil` for what it is wired to.
  public var media: RawMedia?
  /// Where the part begins, in seconds.
  public var from = 0.0
  /// Where it ends; `nil` for the end of the stream, or where ``duration`` says.
  public var to: Double?
  /// How long it is; `nil` for up to ``to``.
  public var duration: Double?
  /// The frame that was on screen before the part, until the first of the part has come.
  private var held: HeldFrame?
  /// What it is wired to.
  private var wired: RawMedia?
  private var known = KnownTimes()
  /// When the newest sample ends, and whether anything of it all was in the part.
  private var reach = MediaTime.zero
  private var hasSent = false
  /// When its first sample begins.
  private var opening: MediaTime?
  private static let tolerance = MediaTime(value: 1, timescale: 1_000)

  /// A node that lets all through.
  public init() {}

  public static let declaration = NodeDeclaration<Trim>(
    "trim", role: .effect, help: "Lets a part of audio or video through, exact to the sample.",
    phrase: "trimmed",
    example: "decoder -> trim -> encoder",
    parameters: [
      .choice(
        "media", \.media, help: "Whether it is for audio or video; left out, what it is wired to."),
      .number(
        "from", \.from, in: 0...FileRange.limit, unit: "s",
        help: "Where the part begins, in the stream's time."),
      .number(
        "to", \.to, in: 0...FileRange.limit, unit: "s",
        help: "Where it ends; left out, at the end of the stream."),
      .number(
        "duration", \.duration, in: 0...FileRange.limit, unit: "s",
        help: "How long it is, in place of `to`."),
    ])

  public static let ports = EffectPorts<AnyMedia>()

  public mutating func adopt(_ medium: MediaKind) -> Bool {
    wired = RawMedia(medium)
    return media == nil
  }

  private var medium: RawMedia? { media ?? wired }

  public var portDeclarations: [PortDeclaration] {
    RawMedia.ports(of: medium, input: "Raw audio or video.", output: "A part of it, from zero on.")
  }

  public var problem: NodeError? {
    if to != nil, duration != nil {
      return NodeError(
        "`to` and `duration` both say where the part ends", remedy: "give one of them",
        key: "duration")
    }
    guard let end = to ?? duration.map({ from + $0 }), end <= from else { return nil }
    return NodeError(
      "the part ends at \(end) s, and begins at \(from) s",
      remedy: to == nil ? "give a `duration` above 0" : "give a `to` after `from`",
      key: to == nil ? "duration" : "to")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    RawMedia.problem(
      of: formats, remedy: "wire it past this node, and cut it with `from` and `to` of `file`")
  }

  public var traits: NodeTraits {
    var traits = NodeTraits(
      presentationShift: -start, keepsSamples: true, movesTimes: start != .zero)
    if start != .zero || end.isNumeric {
      traits.timeChange = TimeChange(
        range: MediaTimeRange(start: start, duration: end.isNumeric ? end - start : end))
    }
    return traits
  }

  private var start: MediaTime { .parameter(from) }

  private var end: MediaTime {
    to.map { .parameter($0) } ?? duration.map { start + .parameter($0) } ?? .positiveInfinity
  }

  /// An empty part has a format, too.
  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    try outputs.announce(format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    known.complete(&sample)
    if sample.presentationTime.isNumeric {
      let length = sample.duration.isNumeric ? sample.duration : .zero
      reach = max(reach, sample.presentationTime + length)
      opening = opening ?? sample.presentationTime
    }
    switch sample.format.format {
    case .audio(let audio): try cut(sample, audio, outputs)
    case .video: try cut(HeldFrame(sample), outputs)
    default:
      throw NodeError(
        "\(sample.format) is neither raw audio nor raw video", remedy: "decode it before")
    }
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    try sendHeld(outputs)
    guard !hasSent else { return }
    func text(_ time: MediaTime) -> String { "\((time.seconds * 1000).rounded() / 1000) s" }
    if let opening, opening >= end {
      outputs.warn(
        "the stream begins at \(text(opening)), and the part ends at \(text(end)): it is empty")
    } else {
      outputs.warn(
        "the stream ends at \(text(reach)), and the part begins at \(text(start)): it is empty")
    }
  }

  private mutating func sendHeld(_ outputs: NodeOutputs) throws {
    if let last = held.take(), last.end > start + Self.tolerance {
      try send(last, from: max(last.time, start), until: min(last.end, end), outputs)
    }
  }

  private mutating func cut(
    _ sample: consuming SampleBuffer, _ audio: AudioFormat, _ outputs: NodeOutputs
  ) throws {
    let rate = audio.sampleRate
    let first = sample.presentationTime.frames(at: rate) ?? 0
    let from = start.frames(at: rate) ?? 0
    let to = end.isNumeric ? end.frames(at: rate) ?? .max : .max
    let count = sample.frameCount
    guard first < to else { throw FlowStopped.enough }
    let skipped = max(0, from - first)
    guard skipped < count else { return }
    let last = min(count, to - first)
    sample.trim(
      offset: skipped * audio.bytesPerFrame, byteCount: (last - skipped) * audio.bytesPerFrame)
    // To the sample, whatever the times were rounded to.
    sample.presentationTime = MediaTime(frames: first + skipped - from, at: rate)
    sample.duration = MediaTime(frames: last - skipped, at: rate)
    if skipped > 0 { sample.isDiscontinuity = true }
    hasSent = true
    try outputs.send(sample)
    if first + count >= to { throw FlowStopped.enough }
  }

  /// A frame waits for the next: how long it says that it is may be wrong, as where frames are decoded in
  /// another order than they are presented.
  private mutating func cut(_ frame: HeldFrame, _ outputs: NodeOutputs) throws {
    guard frame.time + Self.tolerance < end else {
      try sendHeld(outputs)
      throw FlowStopped.enough
    }
    if let before = held.take(), frame.time > start + Self.tolerance {
      let isOnScreen = before.time + Self.tolerance < start
      let until = isOnScreen ? frame.time : min(before.end, frame.time)
      try send(before, from: max(before.time, start), until: until, outputs)
    }
    held = frame
  }

  private mutating func send(
    _ frame: HeldFrame, from time: MediaTime, until end: MediaTime, _ outputs: NodeOutputs
  ) throws {
    var sample = frame.sample.share()
    sample.presentationTime = time - start
    sample.decodeTime = .invalid
    if sample.duration.isNumeric { sample.duration = max(.zero, end - time) }
    hasSent = true
    try outputs.send(sample)
  }
}
