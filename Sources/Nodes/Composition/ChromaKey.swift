import GraphKit
import Kernels

/// Shows a background where a video has the colour of its screen.
///
/// How much of a pixel is seen follows from how far its chroma is from that of the colour, whatever
/// its brightness. The background is made to fit the video, with bars where its shape is another.
/// Frames leave at the times of the video; where the background hasn't begun or has ended, it is
/// black.
public struct ChromaKey: SwiftNode {
  /// The colour of the screen.
  public var color = "00ff00"
  /// How far from the colour pixels are transparent, as a part of the greatest distance.
  public var similarity = 0.12
  /// Over how much more of it they become opaque.
  public var softness = 0.08

  private var video = FrameQueue()
  private var background = FrameQueue()
  private var fitted = FittedPictures()
  private var key: ColorKey?
  private var announced: FormatDescription?
  private var hasFinished = false

  /// A green screen.
  public init() {}

  public static let declaration = NodeDeclaration<ChromaKey>(
    "chromaKey", role: .effect, help: "Shows a background in place of a green screen.",
    example: "studio -> chromaKey.background",
    parameters: [
      .string("color", \.color, help: "The colour of the screen, as rrggbb."),
      .number(
        "similarity", \.similarity, in: 0.001...1,
        help: "How far from that colour pixels are transparent; 1 is the greatest distance."),
      .number(
        "softness", \.softness, in: 0...1,
        help: "Over how much more of the distance pixels become opaque."),
    ])

  /// Two inputs, one output.
  public struct Ports: PortSet {
    /// What is in front of the screen.
    public let input = InputPort<Video>("in", .video([.i420]), help: "Video before a screen.")
    /// What is shown in place of the screen.
    public let background = InputPort<Video>(
      "background", .video([.i420]), help: "What is shown in place of the screen.")
    /// Both.
    public let output = OutputPort<Video>(
      "out", .video([.i420]), follows: "in", help: "The video before its background.")
  }

  public static let ports = Ports()

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public var problem: NodeError? {
    guard RGBA(color) == nil else { return nil }
    return NodeError(
      "`\(color)` is no colour", remedy: "write it as rrggbb: 00ff00", key: "color")
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video(let format) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    guard input == 0, let rgb = RGBA(color)?.rgb else { return }
    let color = SIMD3(Double(rgb >> 16 & 255), Double(rgb >> 8 & 255), Double(rgb & 255))
    let yuv = ColorEncoding(format).fromRGB(color)
    key = ColorKey(
      u: Int(yuv.y.rounded()), v: Int(yuv.z.rounded()), similarity: similarity, softness: softness)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    // Nothing is drawn after the end of the video, however long the background goes on.
    if hasFinished { throw FlowStopped.enough }
    if input == 0 { video.append(HeldFrame(sample)) } else { background.append(HeldFrame(sample)) }
    try drawAll(to: outputs)
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    if input == 0 { video.hasEnded = true } else { background.hasEnded = true }
    try drawAll(to: outputs)
  }

  private mutating func drawAll(to outputs: NodeOutputs) throws {
    while let time = video.frames.first?.time, background.isDecided(at: time) {
      guard let frame = video.popFirst() else { break }
      try draw(frame, to: outputs)
    }
    guard video.hasEnded, video.frames.isEmpty else { return }
    hasFinished = true
    background.removeAll()
  }

  private mutating func draw(_ frame: HeldFrame, to outputs: NodeOutputs) throws {
    guard case .video(let format) = frame.sample.format.format, let key else { return }
    let behind = background.frame(at: frame.time)
    let picture = try behind.map {
      try fitted.picture(
        $0, like: frame.sample.format, width: format.width, height: format.height,
        stretches: false)
    }
    var result = try Self.ground(picture, like: frame)
    do {
      var target = try result.videoFrame()
      Self.mix(frame.sample, over: &target, format, key)
    }
    if announced !== result.format {
      announced = result.format
      try outputs.announce(result.format, on: 0)
    }
    try outputs.send(result)
  }

  /// A frame of the background's pixels, or a black one, with the times of another.
  private static func ground(_ picture: HeldFrame?, like frame: HeldFrame) throws -> SampleBuffer {
    guard case .video(let format) = frame.sample.format.format else { return frame.sample.share() }
    var result = SampleBuffer(byteCount: format.frameSize, format: frame.sample.format)
    result.presentationTime = frame.sample.presentationTime
    result.duration = frame.sample.duration
    do {
      var target = try result.videoFrame()
      if let picture {
        try target.copy(
          PictureRect(width: format.width, height: format.height), of: picture.sample, x: 0, y: 0)
      } else {
        let black: UInt8 = ColorEncoding(format).range == .full ? 0 : 16
        for index in 0..<target.planeCount {
          var plane = target.plane(index)
          plane.update(repeating: index == 0 ? black : 128)
        }
      }
    }
    return result
  }

  private static func mix(
    _ sample: borrowing SampleBuffer, over target: inout VideoFrame, _ format: VideoFormat,
    _ key: ColorKey
  ) {
    let (width, height) = ((format.width + 1) / 2, (format.height + 1) / 2)
    var opacities = [UInt16](repeating: 256, count: width * height)
    sample.withPlane(1) { us, uStride in
      sample.withPlane(2) { vs, vStride in
        for row in 0..<height {
          var line = [UInt16](repeating: 256, count: width)
          var span = line.mutableSpan
          key.opacities(
            us.extracting(row * uStride..<row * uStride + width),
            vs.extracting(row * vStride..<row * vStride + width), into: &span)
          opacities.replaceSubrange(row * width..<(row + 1) * width, with: line)
        }
      }
    }
    for (index, plane) in format.planes.enumerated() {
      let bytesPerRow = target.bytesPerRow(ofPlane: index)
      sample.withPlane(index) { bytes, stride in
        var rows = target.plane(index)
        for row in 0..<plane.height {
          let line = index == 0 ? row / 2 : row
          ColorKey.mix(
            bytes.extracting(row * stride..<row * stride + plane.width), over: &rows,
            at: row * bytesPerRow,
            opacities.span.extracting(line * width..<(line + 1) * width), step: index == 0 ? 2 : 1)
        }
      }
    }
  }
}
