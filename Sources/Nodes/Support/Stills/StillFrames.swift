import GraphKit

/// Frames as a file of one picture takes them: in its pixel format, with square pixels, and no
/// larger than a limit.
///
/// The first frame says how large all of them are; a later one of another shape gets bars.
struct StillFrames: Sendable {
  /// The kind of file.
  let kind: StillImage
  /// The greatest width; `nil` for any.
  let width: Int?
  /// The greatest height; `nil` for any.
  let height: Int?
  /// Whether sides are even numbers of pixels, so that pictures can be put beside each other.
  let isEven: Bool
  /// What the pictures are; `nil` before the first.
  private(set) var format: FormatDescription?
  private var size = (width: 0, height: 0)
  private var fitted = FittedPictures()

  /// Pictures of a kind, of at most a width and a height.
  init(_ kind: StillImage, width: Int?, height: Int?, isEven: Bool = false) {
    (self.kind, self.width, self.height) = (kind, width, height)
    self.isEven = isEven
  }

  /// The picture of a frame, in memory of its own or in the frame's.
  mutating func picture(of frame: HeldFrame) throws -> HeldFrame {
    guard case .video(let video) = frame.sample.format.format else {
      throw NodeError("\(frame.sample.format) is not raw video", remedy: "wire raw video here")
    }
    let format = try self.format ?? makeFormat(for: video)
    return try fitted.picture(
      frame, like: format, width: size.width, height: size.height, stretches: false)
  }

  private mutating func makeFormat(for video: VideoFormat) throws -> FormatDescription {
    size = Self.size(of: video, width: width, height: height, isEven: isEven)
    try kind.check(size)
    let made = try FormatDescription(
      .video(VideoFormat(kind.pixelFormat, width: size.width, height: size.height)))
    format = made
    return made
  }

  /// The largest size within limits, with square pixels; never larger than the frame.
  static func size(
    of video: VideoFormat, width: Int?, height: Int?, isEven: Bool
  ) -> (width: Int, height: Int) {
    let shape = video.pixelShape
    let wide = Double(video.width) * min(1, shape)
    let high = Double(video.height) / max(1, shape)
    let factor = min(
      1, width.map { Double($0) / wide } ?? 1, height.map { Double($0) / high } ?? 1)
    let side = { (length: Double) in
      isEven
        ? max(2, Int((length * factor / 2).rounded()) * 2)
        : max(1, Int((length * factor).rounded()))
    }
    return (side(wide), side(high))
  }
}

extension StillImage {
  /// Refuses a picture that is larger than a file of the kind can hold.
  func check(_ size: (width: Int, height: Int)) throws(NodeError) {
    let (most, pixels) = (sides.upperBound, PictureFile.largestPixelCount)
    guard max(size.width, size.height) > most || size.width * size.height > pixels else { return }
    throw NodeError(
      "a picture of \(size.width)x\(size.height) is too large for a file of \(self)",
      remedy: "make it smaller: at most \(most) pixels a side, "
        + "and \(pixels / 1_000_000) million in all")
  }

  /// Looks whether the machine can write such files.
  func check(in environment: any Environment) throws(NodeError) {
    guard !environment.isInstalled(element) else { return }
    throw NodeError(
      "the GStreamer element `\(element.factory)` isn't installed",
      remedy: "install \(debianPackage)", key: "path")
  }

  /// The kind of a path, or what is wrong with it.
  static func problem(path: String) -> NodeError? {
    guard !path.isEmpty, StillImage(path: path) == nil else { return nil }
    return NodeError(
      "`\(path)` names no kind of picture", remedy: "end it in .jpg, .png or .webp", key: "path")
  }

  /// Writes a picture into a file, which is there as a whole or not at all, and reads it back.
  func write(_ picture: HeldFrame, to path: String, quality: Int?) throws {
    let bytes = try bytes(of: picture.sample, quality: quality)
    var file = try WholeFile(path)
    try file.write(bytes)
    try file.complete()
    // A disk may hold less than it said.
    let written = try InputFile(path)
    guard written.byteCount == bytes.count,
      try written.bytes(at: 0, count: bytes.count) == bytes
    else {
      throw NodeError(
        "`\(path)` reads back otherwise than it was written", remedy: "check the disk", key: "path")
    }
  }
}
