import GraphKit

/// Draws audio as video: its waveform, its spectrum or other figures, with GStreamer's visualizers.
public struct AudioVisual: ElementNode {
  /// What is drawn.
  public enum Style: String, CaseIterable, Sendable {
    /// The waveform, a line for each channel.
    case waveform
    /// The frequencies, from low to high.
    case spectrum
    /// One channel against the other.
    case stereo
    /// The frequencies of both channels as figures in space.
    case synaesthesia

    fileprivate var element: ElementSpec {
      switch self {
      case .waveform:
        ElementSpec("wavescope", plugin: "audiovisualizers", ["style": "lines", "shader": "none"])
      case .spectrum:
        ElementSpec("spectrascope", plugin: "audiovisualizers", ["shader": "none"])
      case .stereo:
        ElementSpec("spacescope", plugin: "audiovisualizers", ["style": "lines", "shader": "fade"])
      case .synaesthesia: ElementSpec("synaescope", plugin: "audiovisualizers")
      }
    }
  }

  /// What is drawn.
  public var style = Style.waveform
  /// Width in pixels.
  public var width = 1280
  /// Height in pixels.
  public var height = 720
  /// Frames a second.
  public var frameRate = Rational(30)

  /// A waveform.
  public init() {}

  public static let declaration = NodeDeclaration<AudioVisual>(
    "audioVisual", role: .converter, help: "Draws audio as video: its waveform or its spectrum.",
    phrase: "drawn as video",
    example: "file.audio -> audioVisual -> encoder",
    parameters: [
      .choice("style", \.style, help: "What is drawn."),
      .integer("width", \.width, in: 64...4_096, unit: "px", help: "Width of the frames."),
      .integer("height", \.height, in: 64...4_096, unit: "px", help: "Height of the frames."),
      .rational("frameRate", \.frameRate, unit: "1/s", help: "Frames a second."),
    ])

  public static let ports = TransformPorts<Audio, Video>(
    .audio([.s16], layouts: [.interleaved], channels: [2]), .video([.bgra]))

  public var portDeclarations: [PortDeclaration] {
    [
      PortDeclaration(
        "in", .input, .audio([.s16], layouts: [.interleaved], channels: [2]),
        help: "The audio, in stereo."),
      PortDeclaration(
        "out", .output,
        .video([.bgra], width: width, height: height, frameRate: frameRate),
        help: "Frames of what is heard while each is on screen."),
    ]
  }

  public var problem: NodeError? {
    guard frameRate > Rational(120) || frameRate < Rational(1) else { return nil }
    return NodeError(
      "\(frameRate) frames a second can't be drawn", remedy: "give from 1 to 120",
      key: "frameRate")
  }

  public var latency: MediaTime { .frames(2, at: frameRate) }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let size =
      "width=\(width), height=\(height), framerate=\(frameRate.numerator)/"
      + "\(frameRate.denominator)"
    var chain = ElementChain([
      // They ask for channels that say where they are, and for rates from 8 to 96 kHz.
      ElementSpec("audioconvert", plugin: "audioconvert"),
      ElementSpec("audioresample", plugin: "audioresample"),
      style.element,
      ElementSpec(
        "capsfilter", plugin: "coreelements", ["caps": "video/x-raw, format=BGRx, \(size)"]),
      // What they draw comes in the rhythm of the audio's blocks.
      .frameRate,
      ElementSpec("videoconvert", plugin: "videoconvertscale"),
      .filter(.video([.bgra], width: width, height: height, frameRate: frameRate)),
    ])
    chain.filters["in"] = [.limitedRate]
    return [chain]
  }
}
