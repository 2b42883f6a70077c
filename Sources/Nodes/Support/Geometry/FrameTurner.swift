import GraphKit

/// Turns and mirrors the frames of one format after another.
struct FrameTurner: Sendable {
  private var frames: ReshapedFrames?
  private var orientation = FrameOrientation.none

  /// Takes the format of the frames that follow; returns that of those that it makes.
  mutating func prepare(
    _ format: FormatDescription, _ orientation: FrameOrientation
  ) throws(NodeError) -> FormatDescription {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    self.orientation = orientation
    frames = nil
    guard orientation != .none else { return format }
    let size = orientation.transposes ? (video.height, video.width) : (video.width, video.height)
    let frames = try ReshapedFrames(
      of: format, width: size.0, height: size.1, transposes: orientation.transposes,
      keepsFields: !orientation.transposes && !orientation.reversesRows)
    self.frames = frames
    return frames.format
  }

  /// A frame, turned.
  func turned(_ sample: consuming SampleBuffer) throws -> SampleBuffer {
    guard let frames else { return sample }
    var result = try frames.take(like: sample)
    do {
      var frame = try result.videoFrame()
      try frame.copy(sample, turned: orientation)
    }
    return result
  }
}

/// A node that turns or mirrors frames, and does nothing else.
protocol TurningNode: SwiftNode {
  /// What the node does to frames of the format that is to come.
  var orientation: FrameOrientation { get }
  /// What does the work.
  var turner: FrameTurner { get set }
}

extension TurningNode {
  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    try outputs.announce(turner.prepare(format, orientation), on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try outputs.send(turner.turned(sample))
  }
}
