import Glibc

/// The loudness range of a programme, after EBU Tech 3342 (version 3): how far the loudness of its
/// stretches of 3 s is apart, without what is far below the rest.
///
/// A stretch ends with each 100 ms, as in EBU Tech 3341. Their loudness is counted in steps of
/// 0.01 LU, so that memory stays the same however long the programme is.
struct LoudnessRange: Sendable {
  /// Blocks of 100 ms that make 3 s.
  private static let blocks = 30
  /// In LUFS: the gate below which nothing counts, and what is as good as the loudest.
  private static let (lowest, highest) = (-70.0, 10.0)
  /// Steps of the count in a LU.
  private static let steps = 100.0

  /// The last blocks' mean squares, in the order of a ring.
  private var recent: [Double] = []
  private var next = 0
  /// How many stretches there are of each loudness.
  private var counts = [Int](repeating: 0, count: Int((highest - lowest) * steps) + 1)
  /// The sum of the mean squares of those that are counted, and their number.
  private var sum = 0.0
  private var total = 0

  /// Takes the mean square of the next 100 ms, filtered and weighted.
  mutating func add(_ meanSquare: Double) {
    if recent.count < Self.blocks {
      recent.append(meanSquare)
    } else {
      recent[next] = meanSquare
      next = (next + 1) % Self.blocks
    }
    guard recent.count == Self.blocks else { return }
    let mean = recent.reduce(0, +) / Double(Self.blocks)
    let loudness = Self.loudness(of: mean)
    guard loudness >= Self.lowest else { return }
    counts[step(of: loudness)] += 1
    sum += mean
    total += 1
  }

  /// The range in LU: from the 10th to the 95th in a hundred of the stretches that are at most
  /// 20 LU below the mean.
  var range: Double {
    guard total > 0 else { return 0 }
    let gate = step(of: Self.loudness(of: sum / Double(total)) - 20)
    let gated = counts[gate...]
    return Double(step(of: 0.95, in: gated) - step(of: 0.1, in: gated)) / Self.steps
  }

  /// The step at or below which this part of the stretches is, to the nearest stretch.
  private func step(of part: Double, in counts: ArraySlice<Int>) -> Int {
    let wanted = Int(part * Double(counts.reduce(0, +)) + 0.5)
    var passed = 0
    let step = counts.indices.first { index in
      passed += counts[index]
      return passed >= wanted && passed > 0
    }
    return step ?? counts.endIndex - 1
  }

  private func step(of loudness: Double) -> Int {
    Int((min(max(loudness, Self.lowest), Self.highest) - Self.lowest) * Self.steps)
  }

  /// In LUFS (ITU-R BS.1770, equation 2).
  private static func loudness(of meanSquare: Double) -> Double {
    meanSquare > 0 ? -0.691 + 10 * log10(meanSquare) : -.infinity
  }
}
