import GStreamer

/// Floating-point samples in 16 bits.
package enum PCMNarrowing {
  /// Writes each sample times 32767, clipped to 16 bits and cut off towards zero, as far as both
  /// spans reach; what is not a number becomes zero.
  package static func narrow(_ samples: Span<Float>, into target: inout MutableSpan<Int16>) {
    SampleNarrowing.narrow(samples, into: &target)
  }
}
