import CKernels

/// Floating-point samples in 16 bits.
package enum SampleNarrowing {
  /// Writes each sample times 32767, clipped to 16 bits and cut off towards zero, as far as both
  /// spans reach; what is not a number becomes zero.
  package static func narrow(_ samples: Span<Float>, into target: inout MutableSpan<Int16>) {
    let count = min(samples.count, target.count)
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe target.withUnsafeMutableBufferPointer { target in
        guard let from = samples.baseAddress, let to = target.baseAddress else { return }
        unsafe graphkit_narrow(from, to, count)
      }
    }
  }
}
