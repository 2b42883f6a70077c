import GraphKit

/// Removes red, green or blue from frames.
public struct ChannelMask: PointEffect {
  /// Whether red stays.
  public var red = true
  /// Whether green stays.
  public var green = true
  /// Whether blue stays.
  public var blue = true

  /// A mask that lets everything through.
  public init() {}

  public static let declaration = NodeDeclaration<ChannelMask>(
    "channelMask", role: .effect, help: "Removes red, green or blue from frames.",
    example: "camera -> channelMask -> encoder",
    parameters: [
      .bool("red", \.red, live: true, help: "Whether red stays."),
      .bool("green", \.green, live: true, help: "Whether green stays."),
      .bool("blue", \.blue, live: true, help: "Whether blue stays."),
    ])

  public func color(_ color: RGB) -> RGB {
    RGB(red ? color.x : 0, green ? color.y : 0, blue ? color.z : 0)
  }
}
