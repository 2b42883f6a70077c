import GStreamer

extension Codec {
  /// Whether the decoder takes packets though its output isn't taken any more: so it is with
  /// `mpg123audiodec` before GStreamer 1.28, which keeps that to itself.
  var decodingHidesItsEnd: Bool { self == .mp3 }
}

/// Passes on a stream's packets up to a second after the last frame that is needed, and then ends
/// the flow upstream. The second is more than a decoder holds back and a header trims.
struct PacketEnd: SwiftNode {
  private let codec: Codec
  private let reducer: (any ReducerNode)?
  private var rate = 0
  /// Frames that are still needed.
  private var missing = Int.max

  init() { self.init(.mp3, for: nil) }

  /// The end of a codec's packets, as a reducer after their decoder has it.
  init(_ codec: Codec, for reducer: (any ReducerNode)?) {
    self.codec = codec
    self.reducer = reducer
  }

  static let declaration = NodeDeclaration<PacketEnd>(
    "packetEnd", role: .general, help: "Ends packets where no more are needed.", example: "")

  static let ports = EffectPorts<EncodedAudio>()

  var portDeclarations: [PortDeclaration] {
    [
      PortDeclaration("in", .input, .encoded(codec), help: "The packets."),
      PortDeclaration("out", .output, .encoded(codec), follows: "in", help: "Those needed."),
    ]
  }

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    if case .encoded(let encoded) = format.format, let rate = encoded.sampleRate {
      self.rate = rate
      missing = reducer?.endFrame(at: rate).map { $0 + rate } ?? .max
    }
    try outputs.announce(format, on: 0)
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard missing > 0 else { throw FlowStopped.enough }
    if sample.duration.isNumeric { missing -= sample.duration.frames(at: rate) }
    try outputs.send(sample)
  }
}
