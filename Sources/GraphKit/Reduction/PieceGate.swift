/// Lets the frames of one piece of a video pass, with the times that they have in the whole.
struct PieceGate: SwiftNode {
  /// The times of the piece's frames in the whole, in nanoseconds.
  private let frames: Range<Int64>
  /// How much later they are there.
  private let shift: Int64

  init() { self.init(.min ..< .max, shift: 0) }

  init(_ frames: Range<Int64>, shift: Int64) { (self.frames, self.shift) = (frames, shift) }

  static let declaration = NodeDeclaration<PieceGate>(
    "pieceGate", role: .general, help: "Hands on the frames of one piece.", example: "")

  static let ports = EffectPorts<Video>()

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let time = sample.presentationTime.nanoseconds else {
      throw NodeError(
        "a frame doesn't say when it is presented", remedy: "leave out --pieces")
    }
    let whole = time.addingClamped(shift)
    guard frames.contains(whole) else { return }
    if shift != 0 { sample.presentationTime = MediaTime(nanoseconds: whole) }
    try outputs.send(sample)
  }
}
