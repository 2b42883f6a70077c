import GraphKit

/// Goes from one input to another.
///
/// Both run by their own times, beside each other: what one shows at a time is mixed with what the
/// other shows then. To have `to` begin with the crossfade, put a `timeShift` of as long before it.
/// Until the crossfade is over frames leave at the times of `from`, and after it at those of `to`;
/// where `from` ends before, at those of `to` from there on. Pictures of `to` are made to fit those
/// of `from`, with bars where their shape is another.
public struct Crossfade: SwiftNode {
  /// When it begins, in seconds.
  public var at = 0.0
  /// How long it takes, in seconds; 0 for a cut.
  public var duration = 1.0

  private var from = FrameQueue()
  private var to = FrameQueue()
  private var fitted = FittedPictures()
  private var format: FormatDescription?
  private var announced: FormatDescription?
  /// The time of the last frame of `from` that came.
  private var reached: MediaTime?

  /// A crossfade at the beginning.
  public init() {}

  public static let declaration = NodeDeclaration<Crossfade>(
    "crossfade", role: .effect, help: "Goes from one input to another.",
    example: "first -> crossfade.from",
    parameters: [
      .number("at", \.at, in: 0...1_000_000, unit: "s", help: "When it begins."),
      .number(
        "duration", \.duration, in: 0...3_600, unit: "s", help: "How long it takes; 0 for a cut."),
    ])

  /// Two inputs, one output.
  public struct Ports: PortSet {
    /// What is shown before.
    public let from = InputPort<Video>(
      "from", .video(PixelFormat.planar), help: "What is shown before.")
    /// What is shown afterwards.
    public let to = InputPort<Video>(
      "to", .video(PixelFormat.planar), help: "What is shown afterwards.")
    /// The one, then the other.
    public let output = OutputPort<Video>(
      "out", .video(PixelFormat.planar), follows: "from", help: "The one, then the other.")
  }

  public static let ports = Ports()

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  private var start: MediaTime { MediaTime(seconds: at, preferredTimescale: 1_000_000) }
  private var end: MediaTime {
    MediaTime(seconds: at + duration, preferredTimescale: 1_000_000)
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    if input == 0 { self.format = format }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    let held = HeldFrame(sample)
    if input == 0 {
      reached = held.time
      if held.time < end { from.append(held) }
    } else {
      to.append(held)
    }
    try advance(outputs)
    // After the crossfade nothing of `from` is shown, however long it goes on.
    if input == 0, held.time >= end { throw FlowStopped.enough }
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    if input == 0 { from.hasEnded = true } else { to.hasEnded = true }
    try advance(outputs)
  }

  private mutating func advance(_ outputs: NodeOutputs) throws {
    while let time = from.frames.first?.time, time < start || to.isDecided(at: time) {
      guard let held = from.popFirst() else { break }
      try send(held, to: outputs)
    }
    guard from.frames.isEmpty, from.hasEnded || reached.map({ $0 >= end }) ?? false else { return }
    while let held = to.popFirst() {
      // Where `from` ended early, what it has shown beside `to` isn't shown again.
      let isNew = held.time >= end || reached.map { held.time > $0 } ?? true
      if isNew, held.time >= start || from.hasEnded { try send(alone: held, to: outputs) }
    }
  }

  /// Sends a frame of `from`, with what is shown of `to`.
  private mutating func send(_ held: consuming HeldFrame, to outputs: NodeOutputs) throws {
    let time = held.time
    var result = held.sample.share()
    _ = consume held
    let shown = to.frame(at: time)
    if time >= start, let shown, let picture = try picture(shown, like: result.format) {
      let progress = duration > 0 ? (time - start).seconds / duration : 1
      var frame = try result.videoFrame()
      try frame.draw(picture, at: (0, 0), progress)
    }
    try announce(result.format, outputs)
    try outputs.send(result)
  }

  private mutating func send(alone held: HeldFrame, to outputs: NodeOutputs) throws {
    // Where `from` had no frame at all, `to` is what there is.
    let format = format ?? held.sample.format
    guard let picture = try picture(held, like: format) else { return }
    var result = picture.sample.share()
    result.format = format
    try announce(format, outputs)
    try outputs.send(result)
  }

  private mutating func picture(
    _ held: HeldFrame, like format: FormatDescription
  ) throws -> HeldFrame? {
    guard case .video(let video) = format.format else { return nil }
    return try fitted.picture(
      held, like: format, width: video.width, height: video.height, stretches: false)
  }

  private mutating func announce(_ format: FormatDescription, _ outputs: NodeOutputs) throws {
    guard announced !== format else { return }
    announced = format
    try outputs.announce(format, on: 0)
  }
}
