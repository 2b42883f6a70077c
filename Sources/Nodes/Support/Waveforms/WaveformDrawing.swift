import GraphKit

/// A picture of a waveform as SVG (W3C, Scalable Vector Graphics 1.1), in the picture's own pixels.
struct WaveformDrawing {
  private let image: WaveformImage
  private let colors: WaveformColors
  private let layout: WaveformLayout
  private let window: WaveformWindow
  private let levels: WaveformLevels
  private let axis: TimeAxis

  /// - Parameters:
  ///   - peaks: the points.
  ///   - time: when the first of them begins, in seconds.
  init(_ image: WaveformImage, colors: WaveformColors, _ peaks: Peaks, from time: Double) {
    self.image = image
    self.colors = colors
    layout = WaveformLayout(image)
    let pointsPerSecond = Double(peaks.format.sampleRate) / Double(peaks.format.samplesPerPixel)
    let first = min(max(0, (image.startAt - time) * pointsPerSecond), Double(peaks.count))
    window = WaveformWindow(
      count: peaks.count, first: Int(first), width: layout.plot.width,
      columnsPerPoint: image.fit ? nil : image.scale)
    levels = WaveformLevels(peaks, factor: image.amplitudeScale, window: window)
    let pixelsPerPoint =
      image.fit
      ? Double(window.columns) / Double(max(1, window.points.count)) : Double(image.scale)
    axis = TimeAxis(
      start: max(image.startAt, time), pixelsPerSecond: pixelsPerPoint * pointsPerSecond,
      width: layout.plot.width, scale: image.scale)
  }

  /// Whether nothing shows through the picture.
  var isOpaque: Bool { colors.background.isOpaque }

  /// The text of the drawing.
  var svg: String {
    let (width, height) = (layout.page.width, layout.page.height)
    let parts =
      [
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
          + "viewBox=\"0 0 \(width) \(height)\">",
        background,
      ] + waveforms + [lines, labels, "</svg>"]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private var background: String {
    var path = SVGPath()
    path.rectangle(0, 0, Double(layout.page.width), Double(layout.page.height))
    return shape(path, colors.background)
  }

  private var waveforms: [String] {
    layout.rows(levels.channels).enumerated().map { channel, row in
      shape(path(channel, row), colors.waveform(channel))
    }
  }

  private func path(_ channel: Int, _ row: PixelRectangle) -> SVGPath {
    switch image.style {
    case .normal: return StepShape.path(levels, window, channel: channel, in: row)
    case .mirrored: return MirroredShape.path(levels, window, channel: channel, in: row)
    case .bars:
      let shape = BarShape(image)
      let bars = image.fit ? shape.spread(window, over: row) : shape.onGrid(window, over: row)
      return shape.path(levels, bars, channel: channel, in: row)
    }
  }

  private func shape(_ path: SVGPath, _ color: RGBA) -> String {
    let text = path.text
    return text.isEmpty || color.isClear ? "" : "<path \(color.fill) d=\"\(text)\"/>"
  }
}

extension WaveformDrawing {
  /// The border, the line above the axis, and its marks: one shape, so that a colour that shows
  /// something through is laid on once.
  private var lines: String {
    guard let strip = layout.axis else { return "" }
    var path = SVGPath()
    let (thin, page) = (Double(layout.scale), layout.page)
    let (width, height) = (Double(page.width), Double(page.height))
    path.rectangle(0, 0, width, thin)
    path.rectangle(0, height - thin, width, thin)
    path.rectangle(0, thin, thin, height - 2 * thin)
    path.rectangle(width - thin, thin, thin, height - 2 * thin)
    path.rectangle(thin, Double(strip.y) - thin, width - 2 * thin, thin)
    for mark in axis.marks {
      let length = Double((mark.label == nil ? 3 : 6) * layout.scale)
      path.rectangle(Double(layout.plot.x + mark.x), Double(strip.y), thin, length)
    }
    return shape(path, colors.border)
  }

  /// The times, each to the right of its mark, as far as they have room.
  private var labels: String {
    guard let strip = layout.axis, !colors.axisLabel.isClear else { return "" }
    let texts = axis.marks.compactMap { mark -> String? in
      guard let label = mark.label else { return nil }
      let x = layout.plot.x + mark.x + 4 * layout.scale
      let end = Double(x) + (TimeAxis.width(of: label) + 2) * Double(layout.scale)
      guard end <= Double(strip.right) else { return nil }
      return "<text x=\"\(x)\" y=\"\(strip.bottom - 5 * layout.scale)\">\(label)</text>"
    }
    let size = Int(TimeAxis.fontSize) * layout.scale
    return texts.isEmpty
      ? ""
      : "<g font-family=\"DejaVu Sans,Verdana,sans-serif\" font-size=\"\(size)\" "
        + "\(colors.axisLabel.fill)>\(texts.joined())</g>"
  }
}

/// The colours of a picture of a waveform.
struct WaveformColors: Equatable, Sendable {
  var background: RGBA
  /// Those of the channels; begun again where there are more channels.
  var waveform: [RGBA]
  var border: RGBA
  var axisLabel: RGBA

  /// The colour of a channel.
  func waveform(_ channel: Int) -> RGBA { waveform[channel % waveform.count] }
}

extension WaveformImage.ColorScheme {
  /// The background, the waveform, the border and the labels.
  var texts: (background: String, waveform: String, border: String, axisLabel: String) {
    switch self {
    case .graphkit: ("ffffff", "4f46e5,0d9488", "d4d8e1", "5b6475")
    case .audacity: ("d6d6d6", "3f4d9b", "000000", "000000")
    case .audition: ("003f22", "86fcc7", "9d9d9d", "bebebe")
    }
  }
}
