import GraphKit

/// A node whose layer may be moved by pixels from where it would lie.
protocol MovedLayer: Node {
  /// Pixels that are added to the right.
  var offsetX: Int { get set }
  /// Pixels that are added down.
  var offsetY: Int { get set }
}

extension MovedLayer {
  /// The parameters that move the layer.
  static var offsets: [Parameter<Self>] {
    [
      .integer(
        "offsetX", \.offsetX, in: -32_768...32_768, unit: "px", live: true,
        help: "Horizontal offset, positive to the right."),
      .integer(
        "offsetY", \.offsetY, in: -32_768...32_768, unit: "px", live: true,
        help: "Vertical offset, positive downwards."),
    ]
  }
}

/// A node that lays a picture anywhere in frames.
protocol PlacedPicture: MovedLayer {
  /// The picture's horizontal position in the space that it leaves, from left (0) to right (1).
  var x: Double { get set }
  /// The picture's vertical position in the space that it leaves, from the top (0) to the bottom
  /// (1).
  var y: Double { get set }
  /// How much of the picture shows, 0...1.
  var opacity: Double { get set }
  /// How large the picture is, against its own size.
  var scale: Double { get set }
}

extension PlacedPicture {
  /// The parameters for the picture's position, opacity and scale.
  static var place: [Parameter<Self>] {
    [
      .number(
        "x", \.x, in: 0...1, live: true,
        help: "From flush left (0) over centred (0.5) to flush right (1)."),
      .number(
        "y", \.y, in: 0...1, live: true,
        help: "From flush with the top (0) over centred (0.5) to flush with the bottom (1)."),
    ] + offsets + [
      .number(
        "opacity", \.opacity, in: 0...1, live: true,
        help: "How much of the picture shows: from nothing (0) to all of it (1)."),
      .number("scale", \.scale, in: 0.01...100, help: "How large it is, against its own size."),
    ]
  }
}
