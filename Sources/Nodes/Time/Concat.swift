import GraphKit

/// Plays parts one after the other, without a gap.
///
/// A part is the inputs of one number: `video` and `audio`, `video.2` and `audio.2`, and so on. It
/// begins where the one before it ends, and is as long as the longer of its two. What the other lacks
/// is filled: audio with silence, to the sample; video with its last frame again, for as long as whole
/// frames fit. So no part moves audio against video, whatever the lengths of the parts before it.
///
/// Samples come in the order of their times, and the inputs of a part only after those of the parts
/// before it, which the engine sees to: what waits isn't read on.
public struct Concat: SwiftNode {
  /// The size of all frames; `nil` for that of the first.
  public var width: Int?
  /// The height, given with the width.
  public var height: Int?
  /// Samples a second of all audio; `nil` for those of the first.
  public var sampleRate: Int?
  /// The number of channels of all audio; `nil` for that of the first.
  public var channels: Int?

  private var arriving = JoinedFormats()
  private var inputs: [Input] = []
  private var video = JoinedVideo(size: nil, frameRate: nil, output: 0)
  private var audio = JoinedAudio(sampleRate: 48_000, channels: 2, output: 1)

  private struct Input: Sendable {
    var isVideo: Bool
    var part: Int
    var hasEnded = false
  }

  /// How far a medium that goes on may be behind the other before that counts as a gap.
  private static let tolerance = MediaTime(value: 1, timescale: 4)

  /// A node that joins its inputs as they come.
  public init() {}

  public static let declaration = NodeDeclaration<Concat>(
    "concat", role: .effect, help: "Plays several inputs one after the other, without a gap.",
    example: "second.video -> concat.video.2",
    parameters: [
      .integer(
        "width", \.width, in: 2...16_384, unit: "px",
        help: "The width of all frames, which are fitted with bars; left out, the first one's."),
      .integer(
        "height", \.height, in: 2...16_384, unit: "px",
        help: "Their height; given with the width."),
      .integer(
        "sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz",
        help: "The sampling rate of all audio; left out, the first one's."),
      .integer(
        "channels", \.channels, in: 1...63,
        help: "The channels of all audio; left out, the first one's."),
    ])

  /// Any number of parts, each with video, audio or both.
  public struct Ports: PortSet {
    /// The parts' video.
    public let videos = InputPort<Video>(
      "video", .video([.i420]), isRepeatable: true, isRequired: false,
      help: "Video of the first part; that of the second as `video.2`.")
    /// The parts' audio.
    public let audios = InputPort<Audio>(
      "audio", .audio([.f32], layouts: [.interleaved]), isRepeatable: true, isRequired: false,
      help: "Audio of the first part; that of the second as `audio.2`.")
    /// All video.
    public let video = OutputPort<Video>(
      "video", .video([.i420]), help: "The video of all parts.")
    /// All audio.
    public let audio = OutputPort<Audio>(
      "audio", .audio([.f32], layouts: [.interleaved]), help: "The audio of all parts.")
  }

  public static let ports = Ports()

  public var traits: NodeTraits {
    NodeTraits(
      needsUprightVideo: true, takesInputsInTurn: true, keepsSamples: true, movesTimes: true)
  }

  public mutating func adopt(formats: [String: FormatConstraint]) -> Bool {
    arriving = JoinedFormats(formats)
    return true
  }

  private var size: JoinedVideo.Size? {
    guard let width, let height else { return arriving.size }
    return JoinedVideo.Size(width: width, height: height)
  }

  private var rate: Int { sampleRate ?? arriving.sampleRate ?? 48_000 }
  private var channelCount: Int { channels ?? arriving.channels ?? 2 }

  public var portDeclarations: [PortDeclaration] {
    Self.ports.declarations.map { port in
      var port = port
      if port.format.kind == .audio {
        (port.format.sampleRates, port.format.channels) = ([rate], [channelCount])
      } else if port.direction == .output {
        (port.format.width, port.format.height) = (size?.width, size?.height)
        port.format.frameRate = arriving.frameRate
      }
      return port
    }
  }

  public var problem: NodeError? {
    guard (width == nil) != (height == nil) else { return nil }
    return NodeError(
      "`width` and `height` say together how large frames are", remedy: "give both, or neither",
      key: width == nil ? "height" : "width")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    JoinedFormats(formats).problem(knowsSize: size != nil)
  }

  public mutating func settle(formats: [String: FormatConstraint]) {
    let wired = arriving.inputs.isEmpty ? JoinedFormats(formats).inputs : arriving.inputs
    inputs = wired.map { Input(isVideo: $0.isVideo, part: $0.part) }
    video = JoinedVideo(size: size, frameRate: arriving.frameRate, output: 0)
    audio = JoinedAudio(sampleRate: rate, channels: channelCount, output: 1)
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard inputs.indices.contains(input) else { return }
    if inputs[input].isVideo { try video.prepare(format) } else { try audio.prepare(format) }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard inputs.indices.contains(input) else { return }
    let part = inputs[input].part
    if inputs[input].isVideo {
      let start = try video.add(sample, to: outputs)
      guard inputs.contains(where: { !$0.isVideo }) else { return }
      guard isOpen(isVideo: false, part) else {
        return try audio.fill(until: video.end, to: outputs)
      }
      let end = audio.hasBegun ? start - Self.tolerance : start
      try audio.fill(until: end, to: outputs)
    } else {
      let start = try audio.add(sample, to: outputs)
      guard inputs.contains(where: \.isVideo) else { return }
      guard isOpen(isVideo: true, part) else {
        return try video.fill(until: audio.end, to: outputs)
      }
      let end = video.hasBegun ? start - Self.tolerance : start
      try video.fill(until: end, to: outputs)
    }
  }

  /// Whether more of a medium may come in a part: nothing from before what came last.
  private func isOpen(isVideo: Bool, _ part: Int) -> Bool {
    inputs.contains { $0.isVideo == isVideo && $0.part == part && !$0.hasEnded }
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    guard inputs.indices.contains(input) else { return }
    inputs[input].hasEnded = true
    let part = inputs[input].part
    guard inputs.allSatisfy({ $0.part != part || $0.hasEnded }) else { return }
    let end = max(video.end, audio.end)
    if inputs.contains(where: \.isVideo) { try video.fill(until: end, to: outputs) }
    if inputs.contains(where: { !$0.isVideo }) { try audio.fill(until: end, to: outputs) }
    video.begin(at: end)
    audio.begin(at: end)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if inputs.contains(where: \.isVideo) { try video.announce(to: outputs) }
    if inputs.contains(where: { !$0.isVideo }) { try audio.announce(to: outputs) }
  }
}
