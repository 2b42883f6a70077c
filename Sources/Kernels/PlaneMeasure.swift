/// Loops over the bytes of planes, for measurements of frames.
package enum PlaneMeasure {
  /// The sum of the differences of two rows, each without its sign, as far as both reach.
  package static func difference(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
    let count = min(one.count, other.count)
    var sum = 0
    var index = 0
    while index < count {
      // A block's sum fits 32 bits, which more of are added at once.
      let end = min(count, index &+ 4096)
      var part: UInt32 = 0
      while index < end {
        let (a, b) = (one[index], other[index])
        part &+= UInt32(max(a, b) &- min(a, b))
        index &+= 1
      }
      sum &+= Int(part)
    }
    return sum
  }

  /// How many bytes of a row are at most a value.
  package static func count(atMost value: UInt8, in row: Span<UInt8>) -> Int {
    var count: UInt32 = 0
    var index = 0
    while index < row.count {
      count &+= row[index] <= value ? 1 : 0
      index &+= 1
    }
    return Int(count)
  }

  /// The sum of the squares of what each pixel inside of a plane differs from the mean of its four
  /// neighbours: high where edges are sharp.
  package static func detail(
    _ plane: Span<UInt8>, width: Int, height: Int, bytesPerRow: Int
  ) -> Int {
    guard width > 2, height > 2, (height - 1) * bytesPerRow + width <= plane.count else { return 0 }
    var sum = 0
    for row in 1..<height - 1 {
      for column in 1..<width - 1 {
        let place = row &* bytesPerRow &+ column
        let around =
          Int(plane[place &- 1]) &+ Int(plane[place &+ 1])
          &+ Int(plane[place &- bytesPerRow])
          &+ Int(plane[place &+ bytesPerRow])
        let edge = 4 &* Int(plane[place]) &- around
        sum &+= edge &* edge
      }
    }
    return sum
  }

  /// Adds a row's bytes, each times a weight, to sums from a place on.
  package static func add(
    _ row: Span<UInt8>, weight: UInt32, to sums: inout MutableSpan<UInt32>, at start: Int
  ) {
    guard start >= 0, start + row.count <= sums.count else { return }
    for index in 0..<row.count { sums[start &+ index] &+= UInt32(row[index]) &* weight }
  }

  /// Writes sums, shifted right by 16 bits and rounded, as bytes from a place on.
  package static func narrow(
    _ sums: Span<UInt32>, into bytes: inout MutableSpan<UInt8>, at start: Int
  ) {
    guard start >= 0, start + sums.count <= bytes.count else { return }
    for index in 0..<sums.count {
      bytes[start &+ index] = UInt8(truncatingIfNeeded: (sums[index] &+ 32_768) &>> 16)
    }
  }
}
