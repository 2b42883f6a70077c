import GraphKit

/// A layer that is kept until its picture, its place, its opacity or the frames' format changes.
struct KeptLayer: Sendable {
  private struct Origin: Hashable {
    var picture: Int
    var corner: Corner
    var opacity: Double
    var format: VideoFormat
  }

  private var origin: Origin?
  private var layer: Layer?

  /// Lays a picture over a frame; `number` tells it from others.
  mutating func draw(
    _ picture: Picture, number: Int = 0, at placement: Placement, opacity: Double,
    on frame: inout VideoFrame
  ) {
    let corner = placement.corner(
      of: (picture.width, picture.height), in: (frame.width, frame.height))
    draw(picture, number: number, at: corner, opacity: opacity, on: &frame)
  }

  /// The same, with the picture's upper left corner at a place.
  mutating func draw(
    _ picture: Picture, number: Int = 0, at corner: Corner, opacity: Double,
    on frame: inout VideoFrame
  ) {
    guard opacity > 0 else { return }
    let format = frame.format
    let new = Origin(picture: number, corner: corner, opacity: opacity, format: format)
    if origin != new {
      origin = new
      layer = Layer(picture, at: corner, opacity: opacity, on: format)
    }
    layer?.draw(on: &frame)
  }
}
