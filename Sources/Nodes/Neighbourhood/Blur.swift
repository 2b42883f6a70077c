import GraphKit

/// Blurs frames with a Gaussian.
///
/// Chroma of 4:2:0, which has half of the pixels, is blurred by half of the radius. At the edges
/// the outermost pixels go on.
public struct Blur: VideoEffect {
  /// The curve's standard deviation, in pixels of the frame.
  public var radius = 5.0 { didSet { if radius != oldValue { blurs = [] } } }
  /// How many means in a row stand for the curve.
  public var passes = 3 { didSet { if passes != oldValue { blurs = [] } } }
  private var blurs: [GaussianBlur] = []

  /// A blur of 5 pixels.
  public init() {}

  public static let declaration = NodeDeclaration<Blur>(
    "blur", role: .effect, help: "Blurs frames with a Gaussian.",
    phrase: "blurred",
    example: "camera -> blur -> encoder",
    parameters: [
      .number(
        "radius", \.radius, in: 0...100, unit: "px", live: true,
        help: "The curve's standard deviation; 0 changes nothing."),
      .integer(
        "passes", \.passes, in: 1...3, live: true,
        help: "Means in a row: 3 are near to the curve, 1 is a plain mean and costs less."
      ).cheaper(at: 1),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits { NodeTraits(isFramewise: true) }

  public mutating func prepare(_ format: VideoFormat) throws {
    guard PixelFormat.planar.contains(format.pixelFormat) else {
      throw NodeError.unknownLayout("blur", format)
    }
    blurs = []
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard radius > 0 else { return }
    if blurs.isEmpty {
      blurs = (0..<frame.planeCount).map { plane in
        let across = frame.format.pixelFormat.subsampling(ofPlane: plane).across
        return GaussianBlur(deviation: radius / Double(across), passes: passes)
      }
    }
    for plane in blurs.indices { blurs[plane].run(on: plane, of: &frame) }
  }
}

extension NodeError {
  /// A node can't work on the pixels that come.
  static func unknownLayout(_ node: String, _ format: VideoFormat) -> NodeError {
    NodeError(
      "\(node) works on i420, nv12, bgra and rgba, not on \(format.pixelFormat.rawValue)",
      remedy: "put a videoConvert before it", key: "in")
  }
}
