import GraphKit
import Kernels

/// Writes one frame of a video as a picture: that at a time, or the sharpest of its beginning.
public struct Poster: SwiftNode, FileSink {
  /// The file.
  public var path = ""
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  /// When the frame is on screen, in seconds; `nil` for the sharpest.
  public var at: Double?
  /// How much of the video the sharpest frame is of, in seconds.
  public var within = 10.0
  /// The greatest width; `nil` for that of the frame.
  public var width: Int?
  /// The greatest height; `nil` for that of the frame.
  public var height: Int?
  /// How good a JPEG or WebP is, from 0 to 100.
  public var quality = 90

  private var known = KnownTimes()
  private var choice: FrameChoice?
  private var chosen: HeldFrame?
  private var detail = -1.0
  private var scaler: FrameScaler?

  /// A poster whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<Poster>(
    "poster", role: .sink, help: "Writes one frame of a video as a picture.",
    phrase: "written to {path} as one frame",
    example: "file.video -> decoder -> poster",
    parameters: [
      .path("path", \.path, help: "The file to write: .jpg, .png or .webp."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there is replaced."),
      .number(
        "at", \.at, in: 0...FileRange.limit, unit: "s",
        help: "When the frame is on screen; where not given, the sharpest is taken."),
      .number(
        "within", \.within, in: 0.1...3_600, unit: "s",
        help: "How much of the video the sharpest frame is looked for in."),
      .integer(
        "width", \.width, in: 16...16_384, unit: "px", help: "The greatest width; none is enlarged."
      ),
      .integer(
        "height", \.height, in: 16...16_384, unit: "px",
        help: "The greatest height; none is enlarged."),
      .integer("quality", \.quality, in: 0...100, help: "How good a JPEG or WebP is."),
    ])

  public static let ports = SinkPorts<Video>(.video(PixelFormat.planar), help: "The video.")

  public var traits: NodeTraits {
    NodeTraits(needsUprightVideo: true, frameTimes: at.map { .at([Self.time($0)]) })
  }

  private static func time(_ seconds: Double) -> MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: seconds < 1e9 ? 1_000_000_000 : 1_000)
  }

  public var problem: NodeError? { StillImage.problem(path: path) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    guard let kind = StillImage(path: path) else { return [] }
    try kind.check(in: environment)
    try file.check(in: environment)
    return []
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    // Of a small picture noise counts for less than what is to be seen.
    if scaler == nil { scaler = FrameScaler(.gray8, width: 480, height: 480, copies: true) }
    if choice == nil { choice = at.map { FrameChoice(.at([Self.time($0)])) } }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    known.complete(&sample)
    let frame = HeldFrame(sample)
    if at != nil {
      chosen = choice?.next(frame).first?.frame
      if chosen != nil { throw FlowStopped.enough }
      return
    }
    guard frame.time < Self.time(within) || chosen == nil else { throw FlowStopped.enough }
    let detail = try detail(of: frame)
    if detail > self.detail { (chosen, self.detail) = (frame, detail) }
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    guard let kind = StillImage(path: path) else { return }
    let end = choice?.end ?? .zero
    guard let frame = chosen ?? choice?.finish().first?.frame else {
      if let at, choice?.last != nil {
        throw NodeError(
          "the video ends at \((end.seconds * 1000).rounded() / 1000) s, so no frame is on screen at \(at) s",
          remedy: "give an `at` before its end", key: "at")
      }
      throw NodeError(
        "no frame came, so there is no picture to write", remedy: "look at what leads to the sink",
        key: "in")
    }
    var stills = StillFrames(kind, width: width, height: height)
    try kind.write(stills.picture(of: frame), to: path, quality: quality)
    (chosen, choice) = (nil, nil)
  }

  /// How sharp a frame is: the mean square of its Laplacian.
  private func detail(of frame: HeldFrame) throws -> Double {
    guard let small = try scaler?.frame(of: frame.sample),
      case .video(let video) = small.format.format
    else { return 0 }
    let sum = small.withPlane(0) { plane, bytesPerRow in
      PlaneMeasure.detail(
        plane, width: video.width, height: video.height, bytesPerRow: bytesPerRow)
    }
    return Double(sum) / Double(max(1, video.width * video.height))
  }
}
