import GraphKit

/// Lays subtitles over frames: each text for as long as it is shown.
///
/// The texts come on a port of their own, from `subtitles` or from a file's `text`. A frame leaves when
/// it is known what is shown at its time, so the texts have to come ahead of the frames or end, as those
/// of files do. Texts that overlap are shown as one of several lines.
///
/// Pango draws the text, with the fonts of the system; where the file says how a text looks, that is
/// left out.
public struct SubtitleOverlay: SwiftNode {
  /// The font's family.
  public var font = "sans-serif"
  /// The font's size in pixels; `nil` for an 18th of the frame's height, and at least 10.
  public var size: Double?
  /// Whether the letters are bold.
  public var bold = false
  /// The colour of the letters.
  public var color = "ffffff"
  /// The width of the outline in pixels; `nil` for a 16th of the size.
  public var outline: Double?
  /// The colour of the outline.
  public var outlineColor = "000000"
  /// The colour of a box behind the text; empty for none.
  public var background = ""
  /// The position of the text in the frame.
  public var position = TextOverlay.Position.bottom
  /// What is free at the edges that the position names, in pixels; `nil` for a 20th of the height.
  public var margin: Int?

  private var overlay = TextOverlay()
  private var video = FrameQueue()
  private var texts = FrameQueue()
  private var overlaps = TextOverlaps()
  /// The format of the texts that have come.
  private var textFormat: FormatDescription?
  private var shown: HeldFrame?
  private var announced: FormatDescription?
  private var hasWarned = false

  /// Subtitles in white with an outline, at the bottom.
  public init() {}

  public static let declaration = NodeDeclaration<SubtitleOverlay>(
    "subtitleOverlay", role: .effect, help: "Lays subtitles over frames.",
    example: "texts -> subtitleOverlay.text",
    parameters: [
      .string("font", \.font, help: "The font's family."),
      .number(
        "size", \.size, in: 4...500, unit: "px",
        help: "The font's size; left out, an 18th of the frame's height."),
      .bool("bold", \.bold, help: "Whether the letters are bold."),
      .string("color", \.color, help: "The letters' colour: rrggbb, or rrggbbaa."),
      .number(
        "outline", \.outline, in: 0...50, unit: "px",
        help: "The width of the outline; left out, a 16th of the size."),
      .string("outlineColor", \.outlineColor, help: "The outline's colour."),
      .string(
        "background", \.background, help: "The colour of a box behind the text; empty for none."),
      .choice("position", \.position, help: "Position of the text in the frame."),
      .integer(
        "margin", \.margin, in: 0...32_768, unit: "px",
        help: "What is free at the edges; left out, a 20th of the frame's height."),
    ])

  /// Frames and texts in, frames out.
  public struct Ports: PortSet {
    /// The frames.
    public let input = InputPort<Video>("in", .video(PixelFormat.composable), help: "The frames.")
    /// The texts.
    public let text = InputPort<TimedText>(
      "text", FormatConstraint(.text), help: "The texts, at their times.")
    /// The frames with the texts on them.
    public let output = OutputPort<Video>(
      "out", .video(PixelFormat.composable), follows: "in", help: "The frames with the texts.")
  }

  public static let ports = Ports()

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public var problem: NodeError? { styled(height: 720).problem }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    var overlay = styled(height: 720)
    return try overlay.resolve(in: environment)
  }

  /// What draws the texts, on frames of a height.
  private func styled(height: Int) -> TextOverlay {
    var overlay = TextOverlay()
    let size = size ?? max(10, Double(height) / 18)
    (overlay.font, overlay.size, overlay.bold, overlay.color) = (font, size, bold, color)
    (overlay.outline, overlay.outlineColor) = (outline ?? size / 16, outlineColor)
    (overlay.background, overlay.position) = (background, position)
    overlay.margin = margin ?? height / 20
    overlay.align = .center
    return overlay
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard input == 0 else { return }
    guard case .video = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    if input == 0 {
      video.append(HeldFrame(sample))
    } else if !video.hasEnded || !video.frames.isEmpty {
      hold(sample)
    } else {
      throw FlowStopped.enough
    }
    try drawAll(to: outputs)
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    if input == 0 {
      video.hasEnded = true
    } else {
      if let format = textFormat { for text in overlaps.finish() { hold(text, format) } }
      texts.hasEnded = true
    }
    try drawAll(to: outputs)
  }

  /// Keeps a text for when it is shown.
  private mutating func hold(_ sample: borrowing SampleBuffer) {
    guard let start = sample.presentationTime.nanoseconds else { return }
    textFormat = sample.format
    let isMarkup = sample.format.capsText.contains("pango-markup")
    let text = SubtitleText.shown(sample.text, isMarkup: isMarkup)
    let length = sample.duration.nanoseconds ?? 0
    for shown in overlaps.add(ShownText(start: start, duration: length, text: text)) {
      hold(shown, sample.format)
    }
  }

  private mutating func hold(_ text: ShownText, _ format: FormatDescription) {
    var sample = SampleBuffer(bytes: Array(text.text.utf8), format: format)
    sample.presentationTime = MediaTime(nanoseconds: text.start)
    sample.duration = MediaTime(nanoseconds: text.duration)
    texts.append(HeldFrame(sample))
  }

  private mutating func drawAll(to outputs: NodeOutputs) throws {
    while let time = video.frames.first?.time, texts.isDecided(at: time),
      let held = video.popFirst()
    {
      var result = held.sample.share()
      // Gone, the frame is the only reference to its pixels, unless others hold them too.
      _ = consume held
      try adopt(result.format, to: outputs)
      try show(texts.frame(at: time).flatMap { $0.end > time ? $0 : nil })
      if shown != nil {
        var frame = try result.videoFrame()
        try overlay.process(&frame)
        try warnOfMissing(outputs)
      }
      try outputs.send(result)
    }
  }

  /// Says once that a text has a character that no font has.
  private mutating func warnOfMissing(_ outputs: NodeOutputs) throws {
    guard !hasWarned, let warning = try overlay.missingWarning() else { return }
    hasWarned = true
    outputs.warn(warning)
  }

  private mutating func adopt(_ format: FormatDescription, to outputs: NodeOutputs) throws {
    guard announced !== format else { return }
    announced = format
    guard case .video(let video) = format.format else { return }
    overlay = styled(height: video.height)
    overlay.wrap = video.width * 9 / 10
    try overlay.prepare(video)
    shown = nil
    try outputs.announce(format, on: 0)
  }

  /// Has the overlay draw a text from now on.
  private mutating func show(_ text: HeldFrame?) throws {
    guard text !== shown else { return }
    shown = text
    guard let text else { return }
    overlay.text = SubtitleText.drawable(text.sample.text)
  }
}

extension SubtitleText {
  /// A text as an overlay takes it: no longer than it can be, and without words that stand for others.
  fileprivate static func drawable(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(99)
    let letters = String(lines.joined(separator: "\n").unicodeScalars.prefix(1_900))
    return letters.replacing("{", with: "{{")
  }
}
