import GraphKit

/// Lets soft round particles fly from a point of frames: confetti, sparks, snow.
///
/// What is seen follows from the parameters and the presentation time alone: a run repeats, and a
/// frame is the same whatever the frame rate and wherever a run began. Lengths are in heights of
/// the frame.
public struct Particles: VideoEffect {
  /// Where the particles come from, from left (0) to right (1).
  public var x = 0.5
  /// Where the particles come from, from the top (0) to the bottom (1).
  public var y = 0.5
  /// When the first particle comes, in seconds.
  public var from: Double {
    get { emitter.from }
    set { emitter.from = newValue }
  }
  /// When the last particle comes, in seconds; `nil` for never.
  public var until: Double? {
    get { emitter.until }
    set { emitter.until = newValue }
  }
  /// Particles a second.
  public var rate: Double {
    get { emitter.rate }
    set { emitter.rate = newValue }
  }
  /// How long a particle lives at most, in seconds; at least 0.6 of it.
  public var life: Double {
    get { emitter.life }
    set { emitter.life = newValue }
  }
  /// How fast the fastest particles fly, in heights of the frame a second; the slowest, 0.4 of it.
  public var speed: Double {
    get { emitter.speed }
    set { emitter.speed = newValue }
  }
  /// Where they fly to, in degrees from the right, against the clock: 90 is up.
  public var direction: Double {
    get { emitter.direction }
    set { emitter.direction = newValue }
  }
  /// How wide they spread, in degrees around the direction.
  public var spread: Double {
    get { emitter.spread }
    set { emitter.spread = newValue }
  }
  /// How much faster they fall each second, in heights of the frame a second.
  public var gravity: Double {
    get { emitter.gravity }
    set { emitter.gravity = newValue }
  }
  /// How large the largest are, in heights of the frame.
  public var size: Double {
    get { emitter.size }
    set { emitter.size = newValue }
  }
  /// The colours, with commas between them.
  public var colors = "ffd166,ef476f,06d6a0,118ab2,ffffff" {
    didSet { parsed = RGBA.list(colors) ?? [] }
  }
  /// How much of the particles shows, 0...1.
  public var opacity = 1.0
  /// What tells one run from another.
  public var seed: Int {
    get { emitter.seed }
    set { emitter.seed = newValue }
  }

  private var emitter = Emitter()
  private var parsed: [RGBA] = []
  private var dot: SoftDot?
  private var encoding = ColorTransform.identity

  /// A fountain in the middle.
  public init() { parsed = RGBA.list(colors) ?? [] }

  public static let declaration = NodeDeclaration<Particles>(
    "particles", role: .effect, help: "Lets soft round particles fly from a point of frames.",
    example: "camera -> particles -> encoder",
    parameters: [
      .number(
        "x", \.x, in: 0...1, live: true,
        help: "Where they come from, from left (0) to right (1)."),
      .number(
        "y", \.y, in: 0...1, live: true,
        help: "Where they come from, from the top (0) to the bottom (1)."),
      .number(
        "from", \.from, in: 0...1_000_000, unit: "s", live: true, help: "When the first one comes."),
      .number(
        "until", \.until, in: 0...1_000_000, unit: "s", live: true,
        help: "When the last one comes; left out, never."),
      .number("rate", \.rate, in: 0...20_000, unit: "1/s", help: "How many come each second."),
      .number(
        "life", \.life, in: 0.01...60, unit: "s",
        help: "How long one lives at most; the shortest, 0.6 of it."),
      .number(
        "speed", \.speed, in: 0...20, unit: "frame heights/s",
        help: "How fast the fastest fly; the slowest, 0.4 of it."),
      .number(
        "direction", \.direction, in: -360...360, unit: "degrees",
        help: "Where they fly to: 0 is right, 90 up, 270 down."),
      .number(
        "spread", \.spread, in: 0...360, unit: "degrees",
        help: "How wide they spread around the direction."),
      .number(
        "gravity", \.gravity, in: -20...20, unit: "frame heights/s²",
        help: "How much faster they fall each second."),
      .number(
        "size", \.size, in: 0.001...1, unit: "frame heights",
        help: "How large the largest are; the smallest, half of it."),
      .string("colors", \.colors, help: "The colours, rrggbb or rrggbbaa, with commas."),
      .number(
        "opacity", \.opacity, in: 0...1, live: true,
        help: "How much of them shows: from nothing (0) to all of it (1)."),
      .integer("seed", \.seed, in: 0...1_000_000_000, help: "What tells one run from another."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.composable))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public var problem: NodeError? {
    guard RGBA.list(colors) != nil else {
      return NodeError(
        "`\(colors)` are no colours", remedy: "write them as rrggbb or rrggbbaa, with commas",
        key: "colors")
    }
    guard rate * life <= Double(Emitter.largestCount) else {
      return NodeError(
        "\(Int(rate * life)) particles at once are too many",
        remedy: "give a `rate` or `life` that makes at most \(Emitter.largestCount)", key: "rate")
    }
    return .reversedTimes(from, until)
  }

  public mutating func prepare(_ format: VideoFormat) throws {
    try format.checkComposable(by: "particles")
    dot = SoftDot(format)
    encoding = ColorEncoding(format).fromRGB
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard var dot, !parsed.isEmpty, opacity > 0 else { return }
    self.dot = nil
    let (width, height) = (Double(frame.width), Double(frame.height))
    let palette = parsed.map { color in
      (color: encoding(color.components), opacity: opacity * Double(color.alpha) / 255)
    }
    for particle in emitter.particles(at: frame.presentationTime.clampedSeconds) {
      let (color, opacity) = palette[Int(particle.hue * Double(palette.count))]
      dot.draw(
        at: SIMD2(x * width, y * height) + particle.center * height,
        radius: particle.radius * height, opacity: particle.opacity * opacity, color: color,
        on: &frame)
    }
    self.dot = dot
  }
}

extension RGBA {
  /// Red, green and blue, 0...255.
  var components: SIMD3<Double> {
    SIMD3(Double(rgb >> 16 & 255), Double(rgb >> 8 & 255), Double(rgb & 255))
  }
}
