import GraphKit

/// What is laid over one plane: its samples, premultiplied, where they aren't transparent.
struct BlendedPlane: Sendable {
  /// Samples of one row that lie side by side.
  private struct Run {
    var row: Int
    /// The first byte in the row.
    var start: Int
    /// The bytes, and where those of the run begin among all of them.
    var bytes: Range<Int>
  }

  private var runs: [Run] = []
  /// Values times alpha, 0...65025.
  private var colors: [UInt16] = []
  private var alphas: [UInt8] = []

  /// Transparent bytes that end a run; fewer are cheaper to blend than a new run is.
  private static let gap = 16

  /// Adds a row of samples, beginning with some byte of the plane's row.
  mutating func add(
    row: Int, start: Int, colors rowColors: Span<UInt16>, alphas rowAlphas: Span<UInt8>
  ) {
    let count = min(rowColors.count, rowAlphas.count)
    var index = 0
    while index < count {
      guard rowAlphas[index] != 0 else {
        index += 1
        continue
      }
      let first = index
      var end = index + 1
      index = end
      while index < count, index - end < Self.gap {
        if rowAlphas[index] != 0 { end = index + 1 }
        index += 1
      }
      runs.append(
        Run(row: row, start: start + first, bytes: colors.count..<colors.count + end - first))
      for byte in first..<end {
        colors.append(rowColors[byte])
        alphas.append(rowAlphas[byte])
      }
    }
  }

  /// Lays the samples over a plane.
  func draw(on pixels: inout MutableSpan<UInt8>, bytesPerRow: Int) {
    let (colors, alphas) = (colors.span, alphas.span)
    for run in runs {
      Blending.blend(
        colors.extracting(run.bytes), alphas.extracting(run.bytes), over: &pixels,
        from: run.row * bytesPerRow + run.start)
    }
  }
}

/// The blending of premultiplied samples over others: `c·a + d·(1 - a)`, rounded to the nearest.
enum Blending {
  /// Blends over as many samples of a plane, from one of them on; over none where there aren't as
  /// many. Values come times their alpha, 0...65025.
  static func blend(
    _ colors: Span<UInt16>, _ alphas: Span<UInt8>, over pixels: inout MutableSpan<UInt8>,
    from start: Int
  ) {
    let count = min(colors.count, alphas.count)
    guard start >= 0, start <= pixels.count - count else { return }
    for index in 0..<count {
      let rest = 255 &- UInt16(truncatingIfNeeded: alphas[index])
      let sum = colors[index] &+ UInt16(truncatingIfNeeded: pixels[start &+ index]) &* rest &+ 128
      // The division by 255, exact for all sums that there are.
      pixels[start &+ index] = UInt8(truncatingIfNeeded: (sum &+ (sum >> 8)) >> 8)
    }
  }
}
