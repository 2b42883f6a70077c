import GraphKit

/// Makes whole frames of the fields of interlaced video, with GStreamer's `deinterlace`.
///
/// A row that a field lacks is the mean of those above and below it.
public struct Deinterlace: ElementNode {
  /// Which frames are of fields.
  public enum Mode: String, CaseIterable, Sendable {
    /// Those that say so.
    case auto
    /// All of them, whatever they say.
    case all
  }

  /// Which fields become frames.
  public enum Fields: String, CaseIterable, Sendable {
    /// Both, each a frame of its own: twice as many frames a second.
    case all
    /// The upper ones, at the same frame rate.
    case top
    /// The lower ones, at the same frame rate.
    case bottom
  }

  /// Which field of a frame is the earlier one.
  public enum Order: String, CaseIterable, Sendable {
    /// As frames say.
    case auto
    case topFirst, bottomFirst
  }

  /// Which frames are of fields.
  public var mode = Mode.auto
  /// Which fields become frames.
  public var fields = Fields.top
  /// Which field of a frame is the earlier one.
  public var order = Order.auto

  /// A node that keeps the frame rate.
  public init() {}

  public static let declaration = NodeDeclaration<Deinterlace>(
    "deinterlace", role: .effect, help: "Makes whole frames of interlaced video.",
    phrase: "deinterlaced",
    example: "decoder -> deinterlace -> encoder",
    parameters: [
      .choice("mode", \.mode, help: "Whether frames that say so are interlaced, or all are."),
      .choice(
        "fields", \.fields,
        help: "Whether both fields become frames, at twice the frame rate, or one of them."),
      .choice("order", \.order, help: "Which field is the earlier one; auto is as frames say."),
    ])

  public static let ports = EffectPorts<Video>(.video([.i420, .nv12, .bgra, .rgba]))

  public var portDeclarations: [PortDeclaration] {
    let format = FormatConstraint.video([.i420, .nv12, .bgra, .rgba])
    return [
      PortDeclaration("in", .input, format, help: "Interlaced video."),
      PortDeclaration("out", .output, format, follows: "in", help: "Frames that are whole."),
    ]
  }

  /// Frames that it holds before it gives the first.
  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    .frames(4, at: formats["in"]?.frameRate)
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let layouts: [Order: String] = [.auto: "auto", .topFirst: "tff", .bottomFirst: "bff"]
    return [
      ElementChain([
        ElementSpec(
          "deinterlace", plugin: "deinterlace",
          [
            "mode": mode == .all ? "interlaced" : "auto",
            // The others look at more fields, and give some frames twice or at wrong times (1.22).
            "method": "linear",
            "fields": fields.rawValue, "tff": layouts[order] ?? "auto",
          ])
      ])
    ]
  }
}
