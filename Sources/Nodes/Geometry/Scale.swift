import GraphKit

/// Scales frames to another size.
///
/// A side that isn't given follows from the other, in even pixels, so that the shape stays. The
/// work is done by GStreamer's own converter, the one inside of `videoscale`.
public struct Scale: SwiftNode {
  /// What becomes of a frame of another shape.
  public enum Mode: String, CaseIterable, Sendable {
    /// All of it is shown, with bars.
    case fit
    /// It fills the size, and is cut at two sides.
    case fill
    /// It is stretched.
    case stretch
  }

  /// Width in pixels; `nil` for what the height asks for.
  public var width: Int?
  /// Height in pixels; `nil` for what the width asks for.
  public var height: Int?
  /// What becomes of a frame of another shape.
  public var mode = Mode.fit
  /// The colour of the bars.
  public var barColor = "000000"
  /// How pixels are made.
  public var method = PictureConverter.Method.linear

  private var frames: ReshapedFrames?
  private var converter: PictureConverter?

  /// A node that leaves frames as large as they are.
  public init() {}

  public static let declaration = NodeDeclaration<Scale>(
    "scale", role: .effect, help: "Scales frames to another size.",
    phrase: "scaled",
    example: "camera -> scale -> encoder",
    parameters: [
      .integer(
        "width", \.width, in: 1...16_384, unit: "px",
        help: "The width; where not given, that which keeps the shape."),
      .integer(
        "height", \.height, in: 1...16_384, unit: "px",
        help: "The height; where not given, that which keeps the shape."),
      .choice(
        "mode", \.mode,
        help: "Another shape gets bars (fit), is cut (fill), or is stretched."),
      .string("barColor", \.barColor, help: "The colour of the bars, as rrggbb."),
      .choice("method", \.method, help: "How pixels are made; lanczos is the best, and slowest."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true, isFramewise: true) }

  public var problem: NodeError? {
    guard RGBA(barColor) == nil else { return nil }
    return NodeError(
      "`\(barColor)` is no colour", remedy: "write it as rrggbb: 102030", key: "barColor")
  }

  public func reshaped(_ entering: FormatConstraint) -> FormatConstraint? {
    var leaving = entering
    (leaving.width, leaving.height) = (width, height)
    guard let wide = entering.width, let high = entering.height else { return leaving }
    let size = size(of: (wide, high))
    (leaving.width, leaving.height) = (size.width, size.height)
    return leaving
  }

  private func size(of picture: (width: Int, height: Int)) -> (width: Int, height: Int) {
    switch (width, height) {
    case (let width?, let height?): (width, height)
    case (let width?, nil): (width, Self.side(width, picture.height, picture.width))
    case (nil, let height?): (Self.side(height, picture.width, picture.height), height)
    case (nil, nil): picture
    }
  }

  /// `length * part / whole`, to the nearest even number of pixels.
  private static func side(_ length: Int, _ part: Int, _ whole: Int) -> Int {
    max(2, (length * part + whole) / (2 * whole) * 2)
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    let old = (video.width, video.height)
    let size = size(of: old)
    (frames, converter) = (nil, nil)
    guard size != old else { return try outputs.announce(format, on: 0) }
    let whole = PictureRect(width: video.width, height: video.height)
    let all = PictureRect(width: size.width, height: size.height)
    let part = mode == .fill ? whole.part(ofShape: all, video.pixelFormat) : whole
    let place = mode == .fit ? all.part(ofShape: whole, video.pixelFormat) : all
    let frames = try ReshapedFrames(
      of: format, width: size.width, height: size.height,
      keepsFields: PictureConverter.keepsFields(from: part, to: place))
    converter = try PictureConverter(
      from: format, to: frames.format, part: part, place: place,
      border: RGBA(barColor).map { 0xff00_0000 | $0.rgb }, method: method)
    self.frames = frames
    try outputs.announce(frames.format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let frames, let converter else { return try outputs.send(sample) }
    var result = try frames.take(like: sample)
    try converter.convert(sample, into: &result)
    try outputs.send(result)
  }
}

extension PictureRect {
  /// The largest part in the middle that has another's shape, at whole chroma pixels.
  func part(ofShape shape: PictureRect, _ pixelFormat: PixelFormat) -> PictureRect {
    let isWider = width * shape.height > height * shape.width
    let wide = isWider ? max(1, (height * shape.width + shape.height / 2) / shape.height) : width
    let high = isWider ? height : max(1, (width * shape.height + shape.width / 2) / shape.width)
    let (across, down) = pixelFormat.subsampling
    let (left, top) = ((width - wide) / 2 / across * across, (height - high) / 2 / down * down)
    // What is over at one side belongs to the frame, or chroma would be cut in halves.
    return PictureRect(
      x: left, y: top, width: isWider ? width - 2 * left : width,
      height: isWider ? height : height - 2 * top)
  }
}
