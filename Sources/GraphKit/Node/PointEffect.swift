/// A colour: red in `x`, green in `y`, blue in `z`, each from 0 to 1, with the transfer function
/// that the frame has (R'G'B'). Colours of video may lie a little outside of that range.
public typealias RGB = SIMD3<Float>

/// An effect that gives every colour another one, wherever in the frame it is.
///
/// An author writes ``color(_:)`` and nothing else. The engine finds out what kind of function it
/// is, joins it with those of its neighbours to one, and runs that on the frame's own layout, with
/// the matrix and the range that the frame's format says: a chain costs what one effect does.
/// Between the effects of a chain nothing is rounded or limited; at its end colours are limited to
/// what can be shown.
///
/// Where the function depends on parameters that are declared live, they may change at any frame.
public protocol PointEffect: SwiftNode where Ports == EffectPorts<Video> {
  /// What a colour becomes. Has to be the same for the same colour, and may be called from any
  /// thread. A result that isn't a number counts as black.
  func color(_ color: RGB) -> RGB
}

extension PointEffect {
  /// One input and one output in the layouts that colours are changed in.
  public static var ports: EffectPorts<Video> {
    EffectPorts(.video([.i420, .nv12, .bgra, .rgba]))
  }

  /// Each pixel by the function itself, in floating point: what a chain is measured by. A planned
  /// graph has ``ColorChain`` do it.
  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video(let format) = sample.format.format else {
      throw NodeError("\(sample.format) is not raw video", remedy: "wire raw video here")
    }
    let function = ColorFunction([self], in: format)
    do {
      var frame = try sample.videoFrame()
      try function.apply(to: &frame)
    }
    try outputs.send(sample)
  }
}
