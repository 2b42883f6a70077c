import GraphKit

/// Gives colours those of a table in a `.cube` file, as grading programs export them.
///
/// Tables of three dimensions are interpolated in tetrahedra, those of one in straight lines.
public struct LookupTable: PointEffect {
  /// The file.
  public var path = ""
  /// The strength; 0 leaves the frame as it is.
  public var intensity = 1.0
  private var table: CubeTable?

  /// An effect whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<LookupTable>(
    "lut", role: .effect, help: "Gives colours those of a table in a .cube file.",
    example: "camera -> lut -> encoder",
    parameters: [
      .path("path", \.path, help: "A .cube file, of one dimension or three."),
      .number(
        "intensity", \.intensity, in: 0...1, live: true,
        help: "The strength; 0 leaves the frame as it is."),
    ])

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    table = try CubeTable(path)
    return []
  }

  public func color(_ color: RGB) -> RGB {
    guard let table, intensity > 0 else { return color }
    return color.mixed(table(color), Float(intensity))
  }
}
