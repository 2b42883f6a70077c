import CKernels

/// Floating-point samples in 16 bits: times 32767, clipped and cut off towards zero; what is not a
/// number becomes zero.
package enum SampleNarrowing {
  /// Writes each sample, as far as both spans reach.
  package static func narrow(_ samples: Span<Float>, into target: inout MutableSpan<Int16>) {
    let count = min(samples.count, target.count)
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe target.withUnsafeMutableBufferPointer { target in
        guard let from = samples.baseAddress, let to = target.baseAddress else { return }
        unsafe graphkit_narrow(from, to, count)
      }
    }
  }

  /// The lowest and the highest sum of a sample of one channel and one of the other, as far as both
  /// spans reach; at least one of each.
  package static func pairExtremes(_ left: Span<Float>, _ right: Span<Float>)
    -> (low: Int32, high: Int32)
  {
    var (low, high) = (Int32.max, Int32.min)
    let count = min(left.count, right.count)
    unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return }
        if WideVectors.areThere {
          unsafe graphkit_narrow_pair_extremes_wide(left, right, count, &low, &high)
        } else {
          unsafe graphkit_narrow_pair_extremes(left, right, count, &low, &high)
        }
      }
    }
    return (low, high)
  }
}
