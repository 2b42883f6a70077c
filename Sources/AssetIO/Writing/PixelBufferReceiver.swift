public import GraphKit

/// Where a program draws the frames of one input of an ``AssetWriter``.
///
/// ```swift
/// var frame = try pictures.frame()
/// frame.withMutableBytes { bytes in draw(into: &bytes) }
/// try await pictures.append(frame, at: time)
/// ```
public struct PixelBufferReceiver: Sendable {
  /// The input, for all else.
  public let receiver: SampleReceiver
  private let pool: PixelBufferPool

  init(_ receiver: SampleReceiver, pool: PixelBufferPool) {
    (self.receiver, self.pool) = (receiver, pool)
  }

  /// A frame to draw into: memory that was used before, with whatever was drawn last.
  public func frame() throws(NodeError) -> SampleBuffer { try pool.take() }

  /// Hands a frame over as soon as the input is ready; see ``SampleReceiver/append(_:)-(SampleBuffer)``.
  public func append(_ frame: consuming SampleBuffer, at time: MediaTime) async throws {
    var frame = frame
    frame.presentationTime = time
    try await receiver.append(frame)
  }

  /// Says that no frame follows.
  public func finish() { receiver.finish() }
}
