import GraphKit
import Kernels

/// Lays text over frames: titles, the time, the frame's number.
///
/// Pango draws the text, again only when it changes, and keeps the letters that it has drawn.
public struct TextOverlay: VideoEffect, MovedLayer {
  /// The places in a frame that text may have.
  public enum Position: String, CaseIterable, Sendable {
    case topLeft, top, topRight, left, center, right, bottomLeft, bottom, bottomRight
  }

  /// How lines of different lengths are aligned.
  public enum Alignment: String, CaseIterable, Sendable { case left, center, right }

  /// The text, with `\n` between lines and words such as `{time}`.
  public var text = "" {
    didSet {
      template = TextTemplate(tooLong == nil ? text : "")
      isChecked = false
    }
  }
  /// The font's family.
  public var font = "sans-serif"
  /// The font's size, in pixels.
  public var size = 32.0
  /// Whether the letters are bold.
  public var bold = false
  /// Whether the letters are italic.
  public var italic = false
  /// The colour of the letters.
  public var color = "ffffff"
  /// The width of the outline, in pixels.
  public var outline = 0.0
  /// The colour of the outline.
  public var outlineColor = "000000"
  /// How far a shadow falls to the right and down, in pixels.
  public var shadow = 0
  /// The colour of a box behind the text; empty for none.
  public var background = ""
  /// The position of the text in the frame.
  public var position = Position.bottom
  /// What is free at the edges that the position names, in pixels.
  public var margin = 20
  /// Pixels that are added to the right.
  public var offsetX = 0
  /// Pixels that are added down.
  public var offsetY = 0
  /// The width in pixels to which lines are wrapped; 0 where they aren't.
  public var wrap = 0
  /// How lines of different lengths are aligned; `nil` for as the position has it.
  public var align: Alignment?
  /// How much of the text shows, 0...1.
  public var opacity = 1.0

  private var template = TextTemplate("")
  private var shown: String?
  private var block: TextBlock?
  private var blockNumber = 0
  private var layer = KeptLayer()
  private var frameNumber = 0
  /// Whether the text was looked through for characters that no font has, and whether one was found.
  private var isChecked = false
  private var hasWarned = false
  /// The time of day, in seconds since 1970.
  var clock: @Sendable () -> Int = { WallClock.secondsSince1970 }

  /// Text that is to be given.
  public init() {}

  public static let declaration = NodeDeclaration<TextOverlay>(
    "text", role: .effect, help: "Lays text over frames, such as titles and the time.",
    phrase: "overlaid with text",
    example: "camera -> text -> encoder",
    parameters: [
      .string(
        "text", \.text, required: true, live: true,
        help: "The text; {time}, {seconds}, {frame} and {date} stand for what they say."),
      .string("font", \.font, help: "The font's family."),
      .number("size", \.size, in: 4...500, unit: "px", help: "The font's size."),
      .bool("bold", \.bold, help: "Whether the letters are bold."),
      .bool("italic", \.italic, help: "Whether the letters are italic."),
      .string("color", \.color, help: "The letters' colour: rrggbb, or rrggbbaa."),
      .number("outline", \.outline, in: 0...50, unit: "px", help: "The width of the outline."),
      .string("outlineColor", \.outlineColor, help: "The outline's colour."),
      .integer(
        "shadow", \.shadow, in: 0...100, unit: "px",
        help: "How far a shadow falls to the right and down; 0 for none."),
      .string(
        "background", \.background, help: "The colour of a box behind the text; empty for none."),
      .choice("position", \.position, live: true, help: "Position of the text in the frame."),
      .integer(
        "margin", \.margin, in: 0...32_768, unit: "px", live: true,
        help: "What is free at the edges that the position names."),
    ] + offsets + [
      .integer(
        "wrap", \.wrap, in: 0...32_768, unit: "px",
        help: "The width to which lines are wrapped; 0 for none."),
      .choice(
        "align", \.align,
        help: "How lines of different lengths are aligned; left out, as the position has it."),
      .number(
        "opacity", \.opacity, in: 0...1, live: true,
        help: "How much of the text shows: from nothing (0) to all of it (1)."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.composable))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public var problem: NodeError? {
    if let tooLong { return tooLong }
    if let word = template.unknown.first {
      return NodeError(
        "`{\(word)}` in the text stands for nothing",
        remedy: "write {time}, {seconds}, {frame} or {date}, or {{ for a brace", key: "text")
    }
    let colors =
      [("color", color), ("outlineColor", outlineColor)]
      + (background.isEmpty ? [] : [("background", background)])
    guard let wrong = colors.first(where: { RGBA($0.1) == nil }) else { return nil }
    return NodeError(
      "`\(wrong.1)` is no colour", remedy: "write it as rrggbb or rrggbbaa", key: wrong.0)
  }

  private static let mostCharacters = 2000
  private static let mostLines = 100

  /// What is wrong with more text than can be drawn between two frames.
  private var tooLong: NodeError? {
    // The parts of a letter, such as its accents, are characters to the renderer.
    let count = text.unicodeScalars.count
    let lines = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
    guard count > Self.mostCharacters || lines > Self.mostLines else { return nil }
    return NodeError(
      count > Self.mostCharacters
        ? "the text has \(count) characters" : "the text has \(lines) lines",
      remedy: "give at most \(Self.mostCharacters) characters in at most \(Self.mostLines) lines",
      key: "text")
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    let other = try TextBlock.fontWarning(font)
    return [other, try missingWarning()].compactMap(\.self)
  }

  /// What is to be said of a text with a character that no font has, of the first such text.
  mutating func missingWarning() throws(NodeError) -> String? {
    guard !isChecked, !hasWarned else { return nil }
    isChecked = true
    let text = template.text(TextTemplate.Values(seconds: 0, frame: 0, clock: 0))
    let warning = try TextBlock.missingWarning(text, look)
    hasWarned = warning != nil
    return warning
  }

  public mutating func prepare(_ format: VideoFormat) throws {
    try format.checkComposable(by: "text")
    // Fonts that are loaded now don't hold up the first frame.
    _ = try TextBlock("0123456789", look)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    if let warning = try missingWarning() { outputs.warn(warning) }
    do {
      var frame = try sample.videoFrame()
      try process(&frame)
    }
    try outputs.send(sample)
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    defer { frameNumber += 1 }
    guard opacity > 0 else { return }
    try setText(at: frame.presentationTime.clampedSeconds)
    guard let block else { return }
    let corner = placement.corner(
      of: (block.width, block.height), in: (frame.width, frame.height))
    try layer.draw(
      block.picture, number: blockNumber, at: corner + block.corner, opacity: opacity, on: &frame)
  }

  /// Draws the text of a frame, where it isn't that of the last one.
  private mutating func setText(at seconds: Double) throws(NodeError) {
    let values = TextTemplate.Values(
      seconds: seconds, frame: frameNumber, clock: template.showsDate ? clock() : 0)
    let new = template.text(values)
    guard new != shown else { return }
    block = try TextBlock(new, look)
    (shown, blockNumber) = (new, blockNumber + 1)
  }

  private var look: TextLook {
    var look = TextLook()
    (look.family, look.size, look.isBold, look.isItalic) = (font, size, bold, italic)
    (look.outline, look.shadow, look.wrapWidth) = (outline, shadow, wrap)
    look.color = RGBA(color)?.bytes ?? look.color
    look.outlineColor = RGBA(outlineColor)?.bytes ?? look.outlineColor
    look.background = RGBA(background)?.bytes ?? look.background
    (look.alignment, look.changesOften) = (alignment, template.changes)
    return look
  }

  /// From left (0) to right (1).
  private var alignment: Double {
    switch align {
    case .left: 0
    case .center: 0.5
    case .right: 1
    case nil: position.fractions.x
    }
  }

  private var placement: Placement {
    let (x, y) = position.fractions
    let margin = Double(margin)
    return Placement(
      x: x, y: y, offsetX: offsetX + Int(margin * (1 - 2 * x)),
      offsetY: offsetY + Int(margin * (1 - 2 * y)))
  }
}

extension TextOverlay.Position {
  /// The position as parts of the frame.
  fileprivate var fractions: (x: Double, y: Double) {
    switch self {
    case .topLeft: (0, 0)
    case .top: (0.5, 0)
    case .topRight: (1, 0)
    case .left: (0, 0.5)
    case .center: (0.5, 0.5)
    case .right: (1, 0.5)
    case .bottomLeft: (0, 1)
    case .bottom: (0.5, 1)
    case .bottomRight: (1, 1)
    }
  }
}
