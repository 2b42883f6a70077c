import GraphKit

/// Samples that a program takes, in Swift.
public struct AppOutput: ExitNode {
  /// An exit for anything.
  public init() {}

  public static let declaration = NodeDeclaration<AppOutput>(
    "appOutput", role: .sink, help: "Hands samples to a Swift program.",
    example: "decoder -> appOutput")

  public static let ports = SinkPorts<AnyMedia>(help: "What the program is to get.")
}
