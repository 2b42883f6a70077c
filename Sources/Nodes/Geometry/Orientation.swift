import GraphKit

/// Turns frames upright, as the file's orientation says.
///
/// What a file says is known where it is a movie (MP4, QuickTime). Without this node, and where it
/// passes frames on, the movie that is written says the same of its own.
public struct Orientation: TurningNode {
  /// Who rotates the video.
  public enum Mode: String, CaseIterable, Sendable {
    /// The node.
    case apply
    /// The player, by what the movie that is written says.
    case pass
  }

  /// Whether the node or the player rotates the video.
  public var mode = Mode.apply
  var turner = FrameTurner()
  private(set) var orientation = FrameOrientation.none

  /// A node that turns frames itself.
  public init() {}

  public static let declaration = NodeDeclaration<Orientation>(
    "orientation", role: .effect, help: "Turns frames upright, as the file's orientation says.",
    example: "file.video -> orientation -> encoder",
    parameters: [
      .choice(
        "mode", \.mode, help: "Turns the pixels (apply), or has players of the movie do it (pass).")
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits { NodeTraits(isFramewise: true) }

  public func reshaped(_ entering: FormatConstraint) -> FormatConstraint? {
    mode == .apply ? entering.upright : entering
  }

  public mutating func settle(formats: [String: FormatConstraint]) {
    orientation = mode == .apply ? formats["in"]?.rotation?.orientation ?? .none : .none
  }
}
