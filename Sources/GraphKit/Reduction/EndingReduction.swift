import GStreamer

extension ReducerNode {
  /// Whether what follows some frame need not be read.
  var hasEnd: Bool { endFrame(at: 1) != nil }

  /// A node that reduces as this one does, and has reading end once it has what it needs.
  func endingStream() -> any SwiftNode { EndingReduction(self) }
}

/// Reduces a stream up to the last frame that counts, and then ends the flow upstream.
struct EndingReduction<N: ReducerNode>: SwiftNode {
  private var node: N
  private var frameSize = 1
  private var missing = Int.max

  init() { self.init(N()) }

  init(_ node: N) { self.node = node }

  static var declaration: NodeDeclaration<Self> {
    NodeDeclaration(
      "\(N.declaration.name)ToEnd", role: .reducer, help: "Reduces the part that counts.",
      example: "")
  }

  static var ports: TransformPorts<Audio, AnyMedia> {
    TransformPorts(FormatConstraint(.audio), FormatConstraint(.any))
  }

  var portDeclarations: [PortDeclaration] { node.portDeclarations }

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    try node.prepare(for: format, on: input, to: outputs)
    guard case .audio(let audio) = format.format else { return }
    frameSize = max(1, audio.bytesPerFrame)
    missing = node.endFrame(at: audio.sampleRate) ?? .max
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    missing -= sample.byteCount / frameSize
    try node.process(sample, on: input, to: outputs)
    // The end of the stream comes down afterwards, from wherever it is read.
    if missing <= 0 { throw FlowStopped.enough }
  }

  mutating func finish(to outputs: NodeOutputs) throws { try node.finish(to: outputs) }
}
