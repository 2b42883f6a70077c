import GraphKit

/// Lays an animated GIF or PNG over frames, for a time.
///
/// The picture of a frame is chosen by its presentation time alone, counted from ``from``. All
/// pictures are decoded before the run: at most 40 million pixels in all, 160 MB.
public struct Sticker: VideoEffect, PlacedPicture {
  /// The file: an animated GIF or PNG, or a picture that doesn't move.
  public var path = ""
  /// When it appears, in seconds.
  public var from = 0.0
  /// When it is gone, in seconds; `nil` for never.
  public var until: Double?
  /// How often it plays, 0 for ever; `nil` for as often as the file says. Then its last picture
  /// stays.
  public var plays: Int?
  /// The picture's horizontal position in the space that it leaves, from left (0) to right (1).
  public var x: Double {
    get { placement.x }
    set { placement.x = newValue }
  }
  /// The picture's vertical position in the space that it leaves, from the top (0) to the bottom
  /// (1).
  public var y: Double {
    get { placement.y }
    set { placement.y = newValue }
  }
  /// Pixels that are added to the right.
  public var offsetX: Int {
    get { placement.offsetX }
    set { placement.offsetX = newValue }
  }
  /// Pixels that are added down.
  public var offsetY: Int {
    get { placement.offsetY }
    set { placement.offsetY = newValue }
  }
  /// How much of the picture shows, 0...1.
  public var opacity = 1.0
  /// How large the picture is, against its own size.
  public var scale = 1.0

  private var placement = Placement()
  private var animation: Animation?
  private var layers: [KeptLayer] = []

  /// The most pixels of an animation whose layers are all kept.
  private static let keptPixelCount = 4_000_000

  /// A sticker whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<Sticker>(
    "sticker", role: .effect, help: "Lays an animated GIF or PNG over frames, for a time.",
    phrase: "overlaid with a sticker",
    example: "camera -> sticker -> encoder",
    parameters: [
      .path("path", \.path, help: "An animated GIF or PNG, or any picture that `overlay` takes."),
      .number(
        "from", \.from, in: 0...1_000_000, unit: "s", live: true, help: "When it appears."),
      .number(
        "until", \.until, in: 0...1_000_000, unit: "s", live: true,
        help: "When it is gone; left out, never."),
      .integer(
        "plays", \.plays, in: 0...1_000_000,
        help: "How often it plays, 0 for ever; left out, as often as the file says."),
    ] + place)

  public static let ports = EffectPorts<Video>(.video(PixelFormat.composable))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public var problem: NodeError? { .reversedTimes(from, until) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    animation = try Animation(path).scaled(by: scale)
    return []
  }

  public mutating func prepare(_ format: VideoFormat) throws {
    try format.checkComposable(by: "sticker")
    let animation = try animation ?? Animation(path).scaled(by: scale)
    self.animation = animation
    let pixelCount = animation.pictures.reduce(0) { $0 + $1.width * $1.height }
    let isKept = pixelCount <= Self.keptPixelCount
    layers = Array(repeating: KeptLayer(), count: isKept ? animation.pictures.count : 1)
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    let time = frame.presentationTime.clampedSeconds
    guard let animation, !layers.isEmpty, time >= from, time < until ?? .infinity else { return }
    let nanoseconds = Int64(((time - from) * 1e9).rounded())
    let count = plays.map { $0 == 0 ? nil : $0 } ?? animation.plays
    let index = animation.index(at: nanoseconds, plays: count)
    try layers[index % layers.count].draw(
      animation.pictures[index], number: index, at: placement, opacity: opacity, on: &frame)
  }
}

extension MediaTime {
  /// The time in seconds; 0 where it is unknown, or too far away for any stream.
  var clampedSeconds: Double {
    let seconds = isNumeric ? seconds : 0
    return abs(seconds) < 4e9 ? seconds : 0
  }
}

extension NodeError {
  /// An end that comes before the beginning.
  static func reversedTimes(_ from: Double, _ until: Double?) -> NodeError? {
    guard let until, until <= from else { return nil }
    return NodeError(
      "it ends at \(until) s, before it begins at \(from) s",
      remedy: "give an `until` after `from`", key: "until")
  }
}
