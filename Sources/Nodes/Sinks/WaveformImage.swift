import GraphKit

/// Draws a waveform: a PNG or an SVG picture of all the points that come.
///
/// Lengths are in pixels of a picture of scale 1. The picture is written when the waveform ends.
public struct WaveformImage: SwiftNode {
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

  public static let ports = SinkPorts<Peaks>(
    FormatConstraint(.peaks), help: "The waveform, in any number of parts.")

  /// Whether the picture goes to standard output.
  public var traits: NodeTraits { NodeTraits(writesStandardOutput: writesStandardOutput) }

  private var writesStandardOutput: Bool { path == WholeFile.standardOutput }

  public var problem: NodeError? { sizeProblem ?? formatProblem ?? colorProblem }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    if !writesStandardOutput {
      try OutputFile(path, replaces: overwrite).check(in: environment)
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
