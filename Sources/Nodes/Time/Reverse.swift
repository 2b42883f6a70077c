import GraphKit

/// Plays audio or video backwards.
///
/// All of it is kept in memory until the last of it has come, so there is a limit to that.
public struct Reverse: SwiftNode {
  /// Whether it is for audio or video; `nil` for what it is wired to.
  public var media: RawMedia?
  /// The length that is turned around, in seconds; `nil` for what comes.
  public var length: Double?
  /// How many megabytes are kept at most.
  public var memory = 1_000

  private var frames: [HeldFrame] = []
  /// What it is wired to.
  private var wired: RawMedia?
  private var known = KnownTimes()
  private var bytes = 0

  /// A node that takes up to a gigabyte.
  public init() {}

  public static let declaration = NodeDeclaration<Reverse>(
    "reverse", role: .effect, help: "Plays audio or video backwards, of a bounded length.",
    phrase: "reversed",
    example: "decoder -> reverse -> encoder",
    parameters: [
      .choice(
        "media", \.media, help: "Whether it is for audio or video; left out, what it is wired to."),
      .number(
        "length", \.length, in: 0.001...1_000_000, unit: "s",
        help: "Where streams of unequal lengths turn together; by default each at its own end."),
      .integer(
        "memory", \.memory, in: 1...1_000_000, unit: "MB",
        help: "How much is kept at most; a longer stream is refused when it gets there."),
    ])

  public static let ports = EffectPorts<AnyMedia>()

  public mutating func adopt(_ medium: MediaKind) -> Bool {
    wired = RawMedia(medium)
    return media == nil
  }

  private var medium: RawMedia? { media ?? wired }

  public var portDeclarations: [PortDeclaration] {
    RawMedia.ports(
      of: medium, input: "Raw audio or video.", output: "The same from its end to its beginning.")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    RawMedia.problem(of: formats, remedy: RawMedia.drawingRemedy)
  }

  public var traits: NodeTraits {
    NodeTraits(needsWholeStream: true, keepsSamples: true, movesTimes: true)
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    switch format.format {
    case .audio, .video: break
    default:
      throw NodeError("\(format) is neither raw audio nor raw video", remedy: "decode it before")
    }
    if let first = frames.first, first.sample.format.format != format.format {
      throw NodeError(
        "the stream changes from \(first.sample.format) to \(format), which can't be turned around",
        remedy: "convert it to one format before")
    }
    try outputs.announce(format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    known.complete(&sample)
    let frame = HeldFrame(sample)
    bytes += frame.sample.byteCount
    guard bytes <= memory * 1_000_000 else {
      let start = frames.first?.time ?? .zero
      let seconds = ((frame.time - start).seconds * 10).rounded() / 10
      frames = []
      throw NodeError(
        "\(seconds) s take \(memory) MB, the most that is kept of what is to be turned around",
        remedy: "read a part (`from` and `duration` of the file), scale it down before, "
          + "or raise `memory`", key: "memory")
    }
    frames.append(frame)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    guard let first = frames.first, let last = frames.last else { return }
    let ends = frames.indices.map { index in
      index + 1 < frames.count && frames[index].isVideo
        ? frames[index + 1].time : frames[index].length(after: index > 0 ? frames[index - 1] : nil)
    }
    let end = length.map { MediaTime.parameter($0) } ?? max(ends.last ?? last.end, last.end)
    let start = length == nil ? first.time : .zero
    while let frame = frames.popLast() {
      // What comes after the length that is turned around has no place in it.
      guard frame.time < end else { continue }
      let time = start + max(.zero, end - ends[frames.count])
      try send(frame, at: time, end - frame.time - (time - start), outputs)
    }
  }

  private func send(
    _ frame: HeldFrame, at time: MediaTime, _ length: MediaTime, _ outputs: NodeOutputs
  ) throws {
    guard case .audio(let audio) = frame.sample.format.format else {
      var sample = frame.sample.share()
      sample.presentationTime = time
      sample.duration = length
      sample.decodeTime = .invalid
      return try outputs.send(sample)
    }
    let count = length.frames(at: audio.sampleRate) ?? 0
    let values = frame.sample.values().prefix(max(0, count) * audio.channels)
    guard !values.isEmpty else { return }
    try outputs.send(
      .block(
        of: Self.reversed(values, channels: audio.channels), frame.sample.format, audio, at: time))
  }

  /// Frames of interleaved audio, the last first.
  private static func reversed(_ values: ArraySlice<Float>, channels: Int) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(values.count)
    for start in Swift.stride(from: values.count - channels, through: 0, by: -channels) {
      result += values[start..<start + channels]
    }
    return result
  }
}

extension HeldFrame {
  /// Whether it is a frame of raw video.
  fileprivate var isVideo: Bool {
    if case .video = sample.format.format { true } else { false }
  }

  /// When it ends; where it doesn't say, after as long as the one before it was on screen.
  fileprivate func length(after previous: HeldFrame?) -> MediaTime {
    if case .audio(let audio) = sample.format.format {
      return time + MediaTime(frames: sample.frameCount, at: audio.sampleRate)
    }
    return end > time ? end : time + (previous.map { time - $0.time } ?? .zero)
  }
}
