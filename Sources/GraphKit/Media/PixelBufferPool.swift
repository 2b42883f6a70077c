/// Frames of one format that are used again: in steady state nothing is allocated.
///
/// A frame comes back to the pool when its last reference is gone, wherever in the graph that is.
/// Its pixels are then whatever was drawn last. Safe to use from any thread; frames may outlive
/// the pool.
public struct PixelBufferPool: Sendable {
  private let pool: SamplePool

  /// A pool of frames.
  public init(_ format: VideoFormat, policy: PoolPolicy = .grow) throws(NodeError) {
    let description = try FormatDescription(.video(format))
    guard format.frameSize <= Int(Int32.max) else {
      throw NodeError(
        "a pool of frames of \(format.frameSize) bytes", remedy: "give a size below 2 GB a frame")
    }
    try policy.check()
    pool = SamplePool(description, byteCount: format.frameSize, policy: policy)
  }

  /// A pool of frames of which more is known than a format says.
  init(_ description: FormatDescription, _ format: VideoFormat) {
    pool = SamplePool(description, byteCount: format.frameSize, policy: .grow)
  }

  /// What the frames are.
  public var format: FormatDescription { pool.format }

  /// A frame without a time.
  public func take() throws(NodeError) -> SampleBuffer { try pool.take() }
}
