import GStreamer
import Kernels

/// Floating-point samples in 16 bits: times 32767, clipped and cut off towards zero; what is not a
/// number becomes zero.
package enum PCMNarrowing {
  /// Writes each sample, as far as both spans reach.
  package static func narrow(_ samples: Span<Float>, into target: inout MutableSpan<Int16>) {
    SampleNarrowing.narrow(samples, into: &target)
  }

  /// The lowest and the highest sum of a sample of one channel and one of the other; as many of
  /// both, at least one.
  package static func pairExtremes(_ left: Span<Float>, _ right: Span<Float>)
    -> (low: Int32, high: Int32)
  { SampleNarrowing.pairExtremes(left, right) }
}
