import GStreamer

/// What a pool does when all the samples that it may have are taken.
public enum PoolPolicy: Hashable, Sendable {
  /// It makes another: the wires that the samples go to are bounded, so their number is.
  case grow
  /// It has at most so many, and throws while all are taken.
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

  /// Throws where it has none.
  func check() throws(NodeError) {
    guard let limit, limit < 1 else { return }
    throw NodeError("a pool of \(limit) samples", remedy: "give a limit of at least 1")
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

  func take() throws(NodeError) -> SampleBuffer {
    let isPatient = if case .wait = policy { true } else { false }
    let buffer = isPatient ? buffers.takeWhenFree() : buffers.take()
    guard let buffer else {
      throw NodeError(
        "all \(policy.limit ?? 0) samples of the pool are taken",
        remedy: "let go of some, or give the pool a higher limit")
    }
    return SampleBuffer(buffer, format: format)
  }
}
