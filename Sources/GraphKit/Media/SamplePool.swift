import GStreamer

/// What a pool does when all the samples that it may have are taken.
public enum PoolPolicy: Hashable, Sendable {
  /// It makes another: the wires that the samples go to are bounded, so their number is.
  case grow
  /// It has at most so many, and throws ``PoolExhausted`` while all are taken.
  case refuse(limit: Int)
  /// It has at most so many, and blocks the thread until one comes back. For streaming threads,
  /// that is in ``SourceNode`` and ``SwiftNode``; never in a task.
  case wait(limit: Int)

  var limit: Int? {
    switch self {
    case .grow: nil
    case .refuse(let limit), .wait(let limit): limit
    }
  }
}

/// All samples of a pool are taken.
public struct PoolExhausted: Error, Hashable, Sendable, CustomStringConvertible {
  /// The most samples that the pool has.
  public let limit: Int

  public var description: String {
    "all \(limit) samples of the pool are taken; let go of some, or give the pool a higher limit"
  }
}

/// Samples of one size, whatever is in them.
struct SamplePool: Sendable {
  private let buffers: BufferPool
  private let policy: PoolPolicy
  let format: FormatDescription

  init(_ format: FormatDescription, byteCount: Int, policy: PoolPolicy) {
    self.format = format
    self.policy = policy
    buffers = BufferPool(caps: format.caps, size: byteCount, limit: policy.limit)
  }

  func take() throws(PoolExhausted) -> SampleBuffer {
    let isPatient = if case .wait = policy { true } else { false }
    let buffer = isPatient ? buffers.takeWhenFree() : buffers.take()
    guard let buffer else { throw PoolExhausted(limit: policy.limit ?? 0) }
    return SampleBuffer(buffer, format: format)
  }
}
