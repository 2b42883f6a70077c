/// A part of a picture, in whole pixels.
struct PixelRectangle: Equatable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }

  /// What is left with margins on each side: at least one pixel.
  func inset(x dx: Int, y dy: Int) -> PixelRectangle {
    let (dx, dy) = (min(dx, (width - 1) / 2), min(dy, (height - 1) / 2))
    return PixelRectangle(x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy)
  }
}

/// Where the parts of a picture lie, in pixels of the picture.
struct WaveformLayout: Sendable {
  /// The whole picture.
  let page: PixelRectangle
  /// Where the waveform is drawn.
  let plot: PixelRectangle
  /// The strip with the times below it, where there is one.
  let axis: PixelRectangle?
  /// The pixels that a length of one takes.
  let scale: Int

  /// Below this a side has no room for an axis.
  private static let smallestSideWithAxis = 60
  private static let axisHeight = 20

  init(_ image: WaveformImage) {
    scale = image.scale
    page = PixelRectangle(x: 0, y: 0, width: image.width * scale, height: image.height * scale)
    var inside = page
    if image.axisLabels, min(image.width, image.height) >= Self.smallestSideWithAxis {
      let height = Self.axisHeight * scale
      axis = PixelRectangle(
        x: scale, y: page.height - height, width: page.width - 2 * scale, height: height - scale)
      inside.y = scale
      inside.height -= height + 2 * scale
      inside.x = scale
      inside.width -= 2 * scale
    } else {
      axis = nil
    }
    plot = inside.inset(x: image.margins(inside).x, y: image.margins(inside).y)
  }

  /// The rows of the channels, with a thin gap between them where there is room.
  func rows(_ channels: Int) -> [PixelRectangle] {
    let gap = plot.height >= channels * 4 * scale ? scale : 0
    let room = plot.height + gap
    return (0..<channels).map { channel in
      let (top, bottom) = (room * channel / channels, room * (channel + 1) / channels - gap)
      return PixelRectangle(
        x: plot.x, y: plot.y + min(top, plot.height - 1), width: plot.width,
        height: max(1, bottom - top))
    }
  }
}

extension WaveformImage {
  /// What stays free at the sides of the waveform: a mirrored one takes 95 % of the width and 85 %
  /// of the height where nothing else is said.
  fileprivate func margins(_ inside: PixelRectangle) -> (x: Int, y: Int) {
    if let inset { return (inset * scale, inset * scale) }
    guard style == .mirrored else { return (0, 0) }
    return (inside.width * 25 / 1000, inside.height * 75 / 1000)
  }
}
