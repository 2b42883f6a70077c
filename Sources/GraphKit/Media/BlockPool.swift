/// Blocks of PCM samples of one format and length that are used again: in steady state nothing is
/// allocated.
///
/// A block comes back to the pool when its last reference is gone, wherever in the graph that is.
/// Its samples are then whatever was written last. Safe to use from any thread; blocks may outlive
/// the pool.
public struct BlockPool: Sendable {
  private let pool: SamplePool
  /// Samples of each channel in a block.
  public let frameCount: Int

  /// A pool of blocks of `frameCount` samples of each channel.
  public init(
    _ format: AudioFormat, frameCount: Int, policy: PoolPolicy = .grow
  ) throws(NodeError) {
    let size = format.bytesPerFrame.multipliedReportingOverflow(by: frameCount)
    guard frameCount > 0, !size.overflow, size.partialValue <= Int(Int32.max) else {
      throw NodeError(
        "a block of \(frameCount) frames can't be had", remedy: "give from 1 frame to 2 GB of them")
    }
    try policy.check()
    let description = try FormatDescription(.audio(format))
    pool = SamplePool(description, byteCount: size.partialValue, policy: policy)
    self.frameCount = frameCount
  }

  /// What the blocks are.
  public var format: FormatDescription { pool.format }

  /// A block without a time.
  public func take() throws(NodeError) -> SampleBuffer { try pool.take() }
}
