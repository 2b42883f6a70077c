import GraphKit

/// Draws a waveform: a PNG or an SVG picture of all the points that come.
///
/// Lengths are in pixels of a picture of scale 1. The picture is written when the waveform ends.
public struct WaveformImage: SwiftNode, FileSink {
  /// What kind of file is written.
  public enum Format: String, CaseIterable, Sendable {
    /// By the path's ending; PNG on standard output.
    case auto
    case png
    case svg
  }

  /// What the waveform is drawn as.
  public enum Style: String, CaseIterable, Sendable {
    /// A column of pixels for each point, from its lowest to its highest sample.
    case normal
    /// Bars that reach as far up as down.
    case bars
    /// One filled curve of the magnitudes, mirrored, with room around it.
    case mirrored
  }

  /// The ends of bars.
  public enum BarStyle: String, CaseIterable, Sendable { case square, rounded }

  /// Colours that go together.
  public enum ColorScheme: String, CaseIterable, Sendable { case graphkit, audacity, audition }

  /// The file; `-` is standard output.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// What kind of file is written.
  public var format = Format.auto
  /// The width of the picture.
  public var width = 800
  /// The height of the picture.
  public var height = 250
  /// How many pixels a length of one takes.
  public var scale = 1
  /// Whether all points are drawn over the width, or one point a pixel.
  public var fit = true
  /// The time that the picture begins with, in seconds.
  public var startAt = 0.0
  /// What levels are multiplied by; `nil` makes the highest one fill the picture.
  public var amplitudeScale: Double? = 1
  /// How hard a PNG is compressed, from 0, not at all, to 9; `nil` for libpng's own choice.
  public var compression: Int?
  /// What the waveform is drawn as.
  public var style = Style.normal
  /// The width of a bar.
  public var barWidth = 8
  /// The gap between bars.
  public var barGap = 4
  /// The ends of bars.
  public var barStyle = BarStyle.square
  /// What is left free around the waveform; where it isn't given, nothing, or 2.5 % of the width
  /// and 7.5 % of the height at each side of a mirrored one.
  public var inset: Int?
  /// Whether there is a border and an axis with times, where the picture has room for them.
  public var axisLabels = true
  /// The colours where none of their own are given.
  public var colors = ColorScheme.graphkit
  /// The colours of the channels, with commas between them.
  public var waveformColor = ""
  /// The colour behind the waveform.
  public var backgroundColor = ""
  /// The colour of the border and of the axis' marks.
  public var borderColor = ""
  /// The colour of the times.
  public var axisLabelColor = ""

  private var collector = PeaksCollector()

  /// A picture whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<WaveformImage>(
    "waveformImage", role: .sink, help: "Draws a waveform: a PNG or an SVG picture.",
    phrase: "drawn into {path}",
    example: "waveform -> waveformImage",
    parameters: [
      .path("path", \.path, help: "The file to write; `-` is standard output."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
      .choice(
        "format", \.format, help: "The kind of file; `auto` goes by the path, and is PNG for `-`."),
      .integer(
        "width", \.width, in: 1...SVGRaster.longestSide, unit: "px", help: "Width of the picture."),
      .integer(
        "height", \.height, in: 1...SVGRaster.longestSide, unit: "px",
        help: "Height of the picture."),
      .integer(
        "scale", \.scale, in: 1...8,
        help: "Pixels that a length of one takes: 2 gives a picture of twice the size."),
      .integer(
        "compression", \.compression, in: 0...9,
        help: "How hard a PNG is compressed: 0 is not at all, 9 is the smallest and slowest."),
      .bool(
        "fit", \.fit, help: "Whether all points are drawn over the width, or one point a pixel."),
      .number(
        "startAt", \.startAt, in: 0...1_000_000_000, unit: "s",
        help: "The time that the picture begins with."),
      .number(
        "amplitudeScale", \.amplitudeScale, in: 0...1000, orWord: "auto",
        help: "What levels are multiplied by; `auto` makes the highest one fill the picture."),
      .choice("style", \.style, help: "What the waveform is drawn as."),
      .integer("barWidth", \.barWidth, in: 1...1000, unit: "px", help: "Width of a bar."),
      .integer("barGap", \.barGap, in: 0...1000, unit: "px", help: "Gap between bars."),
      .choice("barStyle", \.barStyle, help: "The ends of bars."),
      .integer(
        "inset", \.inset, in: 0...10_000, unit: "px",
        help: "What is left free around the waveform; where not given, some for mirrored ones."),
      .bool("axisLabels", \.axisLabels, help: "Whether there are a border and an axis with times."),
      .choice("colors", \.colors, help: "The colours that hold where none is given for itself."),
      .string(
        "waveformColor", \.waveformColor,
        help: "Colours of the channels, `rrggbb` or `rrggbbaa`, with commas between them."),
      .string("backgroundColor", \.backgroundColor, help: "Colour behind the waveform."),
      .string("borderColor", \.borderColor, help: "Colour of the border and the axis' marks."),
      .string("axisLabelColor", \.axisLabelColor, help: "Colour of the times."),
    ])

  public static let ports = SinkPorts<Peaks>(
    FormatConstraint(.peaks), help: "The waveform, in any number of parts.")

  /// Whether the picture goes to standard output.
  public var traits: NodeTraits { NodeTraits(writesStandardOutput: writesStandardOutput) }

  private var writesStandardOutput: Bool { path == WholeFile.standardOutput }

  public var problem: NodeError? { sizeProblem ?? formatProblem ?? colorProblem }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    if !writesStandardOutput {
      try file.check(in: environment)
    }
    if fileFormat == .png,
      let missing = SVGRaster.elements(compression: compression)
        .first(where: { !environment.isInstalled($0) })
    {
      throw SVGRaster.missing(missing.factory)
    }
    return []
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    try collector.begin(format)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try collector.add(sample)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if outputs.hasRunFailed { return }
    let empty = Peaks(PeaksFormat(sampleRate: 48_000, samplesPerPixel: 256, channels: 1))
    let drawing = try drawing(of: collector.peaks ?? empty, from: collector.start)
    collector = PeaksCollector()
    var file = try WholeFile(path)
    try file.write(fileFormat == .svg ? Array(drawing.svg.utf8) : png(of: drawing))
    try file.complete()
  }

  private func png(of drawing: WaveformDrawing) throws(NodeError) -> [UInt8] {
    try SVGRaster.png(
      ofSVG: drawing.svg, isOpaque: drawing.isOpaque, compression: compression)
  }

  func drawing(of peaks: Peaks, from start: MediaTime) throws(NodeError) -> WaveformDrawing {
    try WaveformDrawing(self, colors: resolvedColors(), peaks, from: max(0, start.seconds))
  }
}

extension WaveformImage {
  /// The kind of file, by the path's ending where nothing else says.
  var fileFormat: Format {
    guard format == .auto else { return format }
    let name = path.lowercased()
    return path == "-" || name.hasSuffix(".png") ? .png : name.hasSuffix(".svg") ? .svg : .auto
  }

  /// The colours to draw with: those that are given, and those of the scheme.
  func resolvedColors() throws(NodeError) -> WaveformColors {
    let scheme = colors.texts
    let waveform = try Self.list("waveformColor", waveformColor, scheme.waveform)
    return WaveformColors(
      background: try Self.one("backgroundColor", backgroundColor, scheme.background),
      waveform: waveform, border: try Self.one("borderColor", borderColor, scheme.border),
      axisLabel: try Self.one("axisLabelColor", axisLabelColor, scheme.axisLabel))
  }

  private static func list(_ key: String, _ text: String, _ standard: String)
    throws(NodeError) -> [RGBA]
  {
    guard let colors = RGBA.list(text.isEmpty ? standard : text) else {
      throw NodeError(
        "`\(text)` is no colour", remedy: "write `rrggbb` or `rrggbbaa`, such as `ff8000`",
        key: key)
    }
    return colors
  }

  private static func one(_ key: String, _ text: String, _ standard: String)
    throws(NodeError) -> RGBA
  {
    let colors = try list(key, text, standard)
    guard colors.count == 1, let color = colors.first else {
      throw NodeError("`\(text)` is more than one colour", remedy: "give one", key: key)
    }
    return color
  }

  var colorProblem: NodeError? {
    do { _ = try resolvedColors() } catch { return error }
    return nil
  }

  var formatProblem: NodeError? {
    guard !path.isEmpty, fileFormat == .auto else { return nil }
    return NodeError(
      "`\(path)` doesn't say what kind of picture it is",
      remedy: "let it end in `.png` or `.svg`, or give `format`", key: "path")
  }

  /// A picture is drawn in memory, four bytes a pixel, so there is an end to its size.
  var sizeProblem: NodeError? {
    let (width, height) = (width * scale, height * scale)
    guard max(width, height) > SVGRaster.longestSide || width * height > 64_000_000 else {
      return nil
    }
    return NodeError(
      "a picture of \(width) by \(height) pixels is too large",
      remedy: "give at most \(SVGRaster.longestSide) a side and 64 million in all",
      key: scale > 1 ? "scale" : width > height ? "width" : "height")
  }
}
