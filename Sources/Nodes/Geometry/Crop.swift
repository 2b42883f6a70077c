import GraphKit

/// Cuts a rectangle out of frames.
///
/// The rectangle is given by its size, or is the largest of a shape. It is at `x` and `y`, else at
/// the anchor. Where chroma has half of the columns and rows (I420, NV12), `x` and `y` are rounded
/// down to even pixels, so that luma and chroma stay together; a size that a shape gives is rounded
/// down to even pixels in every format, since encoders ask for that.
public struct Crop: SwiftNode {
  /// The position of the rectangle in the frame.
  public enum Anchor: String, CaseIterable, Sendable {
    case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
  }

  /// The shape of the rectangle, as `9:16`; empty where its size is given.
  public var aspectRatio = ""
  /// Its width; `nil` for that of the frame.
  public var width: Int?
  /// Its height; `nil` for that of the frame.
  public var height: Int?
  /// Its first column; `nil` for where the anchor puts it.
  public var x: Int?
  /// Its first row; `nil` for where the anchor puts it.
  public var y: Int?
  /// The position of the rectangle where `x` or `y` isn't given.
  public var anchor = Anchor.center

  private var frames: ReshapedFrames?
  private var entering: VideoFormat?

  /// A node that leaves frames whole.
  public init() {}

  public static let declaration = NodeDeclaration<Crop>(
    "crop", role: .effect, help: "Cuts a rectangle out of frames.",
    phrase: "cropped",
    example: "camera -> crop -> encoder",
    parameters: [
      .string(
        "aspectRatio", \.aspectRatio,
        help: "The largest rectangle of a shape, such as 1:1 or 9:16, in even pixels."),
      .integer(
        "width", \.width, in: 1...16_384, unit: "px",
        help: "Its width; the frame's where neither this nor a shape is given."),
      .integer(
        "height", \.height, in: 1...16_384, unit: "px",
        help: "Its height; the frame's where neither this nor a shape is given."),
      .integer(
        "x", \.x, in: 0...16_383, unit: "px", live: true,
        help: "Its first column, even in I420 and NV12; as `anchor` says where not given."),
      .integer(
        "y", \.y, in: 0...16_383, unit: "px", live: true,
        help: "Its first row, even in I420 and NV12; as `anchor` says where not given."),
      .choice("anchor", \.anchor, live: true, help: "Position of the rectangle in the frame."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits {
    NodeTraits(
      needsUprightVideo: true, crop: cropsToEvenSizes ? .evenSize : .anySize, isFramewise: true)
  }

  private var cropsToEvenSizes: Bool {
    guard let shape = AspectRatio(aspectRatio) else { return false }
    return shape.width <= 16 * shape.height && shape.height <= 16 * shape.width
  }

  public var problem: NodeError? {
    guard !aspectRatio.isEmpty else { return nil }
    guard AspectRatio(aspectRatio) != nil else {
      return NodeError(
        "`\(aspectRatio)` is no shape", remedy: "write it as 1:1, 3:4 or 9:16",
        key: "aspectRatio")
    }
    guard width != nil || height != nil else { return nil }
    return NodeError(
      "both a shape and a size are given", remedy: "give `aspectRatio` or `width` and `height`",
      key: "aspectRatio")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    guard let entering = formats["in"], let wide = entering.width, let high = entering.height
    else { return nil }
    return misfit(in: (wide, high))
  }

  public func reshaped(_ entering: FormatConstraint) -> FormatConstraint? {
    var leaving = entering
    (leaving.width, leaving.height) = (width, height)
    guard let wide = entering.width, let high = entering.height else { return leaving }
    let size = size(in: (wide, high))
    (leaving.width, leaving.height) = (size.width, size.height)
    return leaving
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    if let misfit = misfit(in: (video.width, video.height)) { throw misfit }
    let size = size(in: (video.width, video.height))
    let frames = try ReshapedFrames(
      of: format, width: size.width, height: size.height, keepsFields: true)
    (self.frames, entering) = (frames, video)
    let isWhole = size == (video.width, video.height)
    try outputs.announce(isWhole ? format : frames.format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let frames, let entering else { return }
    let rect = rectangle(in: entering)
    if rect.width == entering.width, rect.height == entering.height {
      return try outputs.send(sample)
    }
    var result = try frames.take(like: sample, fromRow: rect.y)
    do {
      var frame = try result.videoFrame()
      try frame.copy(rect, of: sample, x: 0, y: 0)
    }
    try outputs.send(result)
  }
}

extension Crop {
  private func size(in picture: (width: Int, height: Int)) -> (width: Int, height: Int) {
    if let shape = AspectRatio(aspectRatio) { return shape.largest(within: picture) }
    return (width ?? picture.width, height ?? picture.height)
  }

  private func misfit(in picture: (width: Int, height: Int)) -> NodeError? {
    let size = size(in: picture)
    if size.width + (x ?? 0) <= picture.width, size.height + (y ?? 0) <= picture.height {
      return nil
    }
    let isWide = size.width + (x ?? 0) > picture.width
    let place = [x.map { "x \($0)" }, y.map { "y \($0)" }].compactMap { $0 }
    return NodeError(
      "\(size.width)x\(size.height)\(place.isEmpty ? "" : " at ")"
        + "\(place.joined(separator: ", ")) is not within frames of "
        + "\(picture.width)x\(picture.height)",
      remedy: place.isEmpty
        ? "give a smaller rectangle" : "give a smaller rectangle, or one nearer to the top left",
      key: isWide ? (width == nil ? "x" : "width") : (height == nil ? "y" : "height"))
  }

  /// The rectangle, at whole chroma pixels. A live change may have moved it out of the frame: it is
  /// then at the edge.
  private func rectangle(in video: VideoFormat) -> PictureRect {
    let size = size(in: (video.width, video.height))
    let room = (across: video.width - size.width, down: video.height - size.height)
    let (across, down) = video.pixelFormat.subsampling
    let left = min(x ?? anchor.column(of: room.across), room.across)
    let top = min(y ?? anchor.row(of: room.down), room.down)
    return PictureRect(
      x: left / across * across, y: top / down * down, width: size.width, height: size.height)
  }
}

extension Crop.Anchor {
  fileprivate func column(of room: Int) -> Int {
    switch self {
    case .left, .topLeft, .bottomLeft: 0
    case .right, .topRight, .bottomRight: room
    case .center, .top, .bottom: room / 2
    }
  }

  fileprivate func row(of room: Int) -> Int {
    switch self {
    case .top, .topLeft, .topRight: 0
    case .bottom, .bottomLeft, .bottomRight: room
    case .center, .left, .right: room / 2
    }
  }
}

extension PixelFormat {
  /// The formats whose pixels, or pairs of chroma values, can each be moved alone.
  static let planar: [PixelFormat] = [.i420, .nv12, .bgra, .rgba]
}
