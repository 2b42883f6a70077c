import CKernels

/// Loops in vectors that are wider than those of every processor that the code runs on.
package enum WideVectors {
  /// Whether this processor has them.
  package static let areThere = graphkit_has_avx2()

  /// How wide vectors are; plain Swift needs none.
  package enum Width: Int32, Sendable { case none = 0, bits256 = 256, bits512 = 512 }

  /// Those of this processor, the widest last.
  package static let widths: [Width] =
    [.none] + (areThere ? [.bits256] : []) + (graphkit_has_avx512() ? [.bits512] : [])

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
