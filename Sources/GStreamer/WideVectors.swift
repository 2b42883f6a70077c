import CKernels

/// Loops in vectors that are wider than those of every processor that the code runs on.
package enum WideVectors {
  /// Whether this processor has them.
  package static let areThere = graphkit_has_avx2()

  /// Frames of a whole number of which ``pairExtremes(_:)`` is made.
  package static let framesPerBlock = 16

  /// The lowest and the highest sum of the two 16-bit halves of each frame. For whole blocks of
  /// frames, at least one, and only where ``areThere``.
  package static func pairExtremes(_ frames: Span<Int32>) -> (low: Int32, high: Int32) {
    var (low, high) = (Int32.max, Int32.min)
    unsafe frames.withUnsafeBufferPointer { frames in
      unsafe graphkit_pair_extremes(frames.baseAddress, frames.count / framesPerBlock, &low, &high)
    }
    return (low, high)
  }
}
