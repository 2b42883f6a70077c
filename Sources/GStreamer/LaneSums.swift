/// Running sums over columns of numbers, sixteen columns side by side.
package enum LaneSums {
  /// The number of columns: that of a strip that stays in the processor's cache.
  package static let lanes = 16

  /// Replaces the first `count` of some rows of sixteen numbers by sums of the rows around: row `j`
  /// becomes the sum of rows `j + 1` to `j + length`, and `edge` times rows `j` and
  /// `j + length + 1`. `false`, and no change, where there are too few rows.
  @discardableResult
  package static func run(
    _ values: inout MutableSpan<Float>, count: Int, length: Int, edge: Float
  ) -> Bool {
    guard count > 0, length > 0, (count + length + 1) * lanes <= values.count else { return false }
    unsafe values.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      // A vector of this type lies in as many registers as it takes; an array's memory is aligned
      // for its elements alone, hence the loads that need no alignment.
      func row(_ index: Int) -> SIMD16<Float> {
        unsafe base.loadUnaligned(fromByteOffset: index * 64, as: SIMD16<Float>.self)
      }
      var sum = SIMD16<Float>()
      for index in 1...length { sum += row(index) }
      for index in 0..<count {
        let (first, last) = (row(index), row(index + length + 1))
        let result = sum + edge * (first + last)
        sum += last - row(index + 1)
        unsafe base.storeBytes(of: result, toByteOffset: index * 64, as: SIMD16<Float>.self)
      }
    }
    return true
  }
}
