import GraphKit

/// A layer that is kept until its picture, its place, its opacity or the frames' format changes.
///
/// Pictures have square pixels. Where those of the frames aren't, the picture is made narrower or
/// wider, so that it is shown in its own shape.
struct KeptLayer: Sendable {
  private struct Origin: Hashable {
    var picture: Int
    var corner: Corner
    var opacity: Double
    var format: VideoFormat
  }

  private var origin: Origin?
  private var layer: Layer?
  private var fitted: (number: Int, shape: Double, picture: Picture)?

  /// Lays a picture over a frame; `number` tells it from others.
  mutating func draw(
    _ picture: Picture, number: Int = 0, at placement: Placement, opacity: Double,
    on frame: inout VideoFrame
  ) throws(NodeError) {
    guard opacity > 0 else { return }
    let fitted = try fit(picture, number, to: frame.format)
    let corner = placement.corner(
      of: (fitted.width, fitted.height), in: (frame.width, frame.height))
    draw(fitted, number, at: corner, opacity, on: &frame)
  }

  /// The same, with the upper left corner of the picture at a place; a narrower or wider fit is
  /// centred on the same column.
  mutating func draw(
    _ picture: Picture, number: Int = 0, at corner: Corner, opacity: Double,
    on frame: inout VideoFrame
  ) throws(NodeError) {
    guard opacity > 0 else { return }
    let fitted = try fit(picture, number, to: frame.format)
    let corner = Corner(x: corner.x + (picture.width - fitted.width) / 2, y: corner.y)
    draw(fitted, number, at: corner, opacity, on: &frame)
  }

  private mutating func draw(
    _ picture: Picture, _ number: Int, at corner: Corner, _ opacity: Double,
    on frame: inout VideoFrame
  ) {
    let format = frame.format
    let new = Origin(picture: number, corner: corner, opacity: opacity, format: format)
    if origin != new {
      origin = new
      layer = Layer(picture, at: corner, opacity: opacity, on: format)
    }
    layer?.draw(on: &frame)
  }

  /// The picture in pixels of the frames' shape.
  private mutating func fit(
    _ picture: Picture, _ number: Int, to format: VideoFormat
  ) throws(NodeError) -> Picture {
    let shape = format.pixelShape
    guard shape != 1 else { return picture }
    if let fitted, fitted.number == number, fitted.shape == shape { return fitted.picture }
    let width = Int((Double(picture.width) / shape).rounded())
    let new = try picture.scaled(width: width, height: picture.height)
    fitted = (number, shape, new)
    return new
  }
}
