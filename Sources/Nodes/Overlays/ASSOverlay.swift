import GraphKit
import GraphKitSystem
import Kernels

/// Lays the subtitles of a script over frames as it says: styles, positions, movement, karaoke, drawings.
///
/// libass draws, with the fonts that the script holds, those of a folder, and those of the system. Times
/// are those of frames: where a file is read from a later moment on, `offset` moves the texts.
public struct ASSOverlay: VideoEffect {
  /// The script: Advanced SubStation Alpha (.ass) or SubStation Alpha (.ssa), in UTF-8.
  public var path = ""
  /// A folder with fonts; empty for those of the system alone.
  public var fonts = ""
  /// Seconds by which the texts are shown later; below 0, earlier.
  public var offset = 0.0
  /// How much of the texts shows, 0...1.
  public var opacity = 1.0

  private var script: [UInt8]?
  private var renderer: ScriptRenderer?
  private var picture: Picture?
  private var corner = Corner(x: 0, y: 0)
  private var layer: Layer?
  private var drawnOpacity = 1.0

  /// Subtitles whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<ASSOverlay>(
    "assOverlay", role: .effect, help: "Lays the subtitles of an ASS file over frames.",
    phrase: "overlaid with the subtitles of {path}",
    example: "camera -> assOverlay -> encoder",
    parameters: [
      .path("path", \.path, help: "An ASS or SSA file, in UTF-8."),
      .path(
        "fonts", \.fonts, required: false,
        help: "A folder with fonts, beside those of the system."),
      .number(
        "offset", \.offset, in: -1_000_000...1_000_000, unit: "s", live: true,
        help: "How much later the texts are shown; below 0, earlier."),
      .number(
        "opacity", \.opacity, in: 0...1, live: true,
        help: "How much of the texts shows: from nothing (0) to all of it (1)."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.composable))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true, isFramewise: true) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    let text = try SubtitleFile.text(of: path)
    guard fonts.isEmpty || File.isFolder(fonts) else {
      throw NodeError(
        "`\(fonts)` is no folder", remedy: "give a folder that holds fonts", key: "fonts")
    }
    guard ASSScript.isScript(text) else {
      throw NodeError(
        "`\(path)` is no script of ASS or SSA",
        remedy: "give one that begins with [Script Info], or wire `subtitles` to `subtitleOverlay`",
        key: "path")
    }
    let parsed = try ASSScript(text, path)
    let bytes = Array(text.utf8)
    do { try ScriptRenderer.check(bytes) } catch { throw problem(error) }
    script = bytes
    guard fonts.isEmpty else { return [] }
    var warnings: [String] = []
    for font in parsed.fonts { warnings += try TextBlock.fontWarning(font).map { [$0] } ?? [] }
    guard !parsed.holdsFonts else { return warnings }
    let missing = try TextBlock.missingWarning(parsed.characters, TextLook())
    return warnings + [missing].compactMap(\.self)
  }

  public mutating func prepare(_ format: VideoFormat) throws {
    try format.checkComposable(by: "assOverlay")
    let script = try script ?? Array(SubtitleFile.text(of: path).utf8)
    self.script = script
    do {
      renderer = try ScriptRenderer(
        script, width: format.width, height: format.height, pixelShape: format.pixelShape,
        fonts: fonts.isEmpty ? nil : fonts)
    } catch { throw problem(error) }
    (picture, layer) = (nil, nil)
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard opacity > 0, let renderer else { return }
    let time = frame.presentationTime.clampedSeconds - offset
    // The end of a text is not its time any more: the time is rounded down, but for a nanosecond's error.
    show(renderer.frame(at: Int((time * 1_000 + 0.001).rounded(.down))))
    guard let picture else { return }
    if layer == nil || drawnOpacity != opacity {
      layer = Layer(picture, at: corner, opacity: opacity, on: frame.format)
      drawnOpacity = opacity
    }
    layer?.draw(on: &frame)
  }

  private mutating func show(_ shown: ScriptRenderer.Frame) {
    switch shown {
    case .same: return
    case .nothing: picture = nil
    case .picture(let drawn):
      picture = Picture(
        width: drawn.width, height: drawn.height, pixels: drawn.pixels, isPremultiplied: true)
      corner = Corner(x: drawn.corner.x, y: drawn.corner.y)
    }
    layer = nil
  }

  private func problem(_ failure: ScriptRenderer.Failure) -> NodeError {
    switch failure {
    case .missing(let library):
      NodeError("subtitles with styles need the library `\(library)`", remedy: "install libass9")
    case .notAScript:
      NodeError("libass finds no script in `\(path)`", remedy: "give an ASS file", key: "path")
    case .failed:
      NodeError("there isn't enough memory to draw the subtitles", remedy: "make frames smaller")
    }
  }
}
