import Glibc

/// The loudness of all windows of some blocks of 100 ms, counted in steps, so that counts of two
/// stretches add up to those of both, and memory stays the same however long the audio is.
struct LoudnessWindows: Equatable, Sendable, Codable {
  /// Blocks of a window.
  private let length: Int
  /// Steps of the count in a LU.
  private let steps: Double
  /// How many windows there are of each loudness.
  private(set) var counts: [Int]
  /// The mean squares of the first blocks and of the last ones, of which windows with those of other
  /// stretches are made: one less than a window has.
  private var opening: [Double] = []
  private var closing: [Double] = []

  /// In LUFS: the gate below which nothing counts, and what is as good as the loudest.
  static let (lowest, highest) = (-70.0, 30.0)

  /// Windows of 400 ms and of 3 s, counted in steps of 0.01 LU.
  static let momentary = LoudnessWindows(length: 4, steps: 100)
  static let shortTerm = LoudnessWindows(length: 30, steps: 100)

  private init(length: Int, steps: Double) {
    (self.length, self.steps) = (length, steps)
    counts = [Int](repeating: 0, count: Int((Self.highest - Self.lowest) * steps))
  }

  private enum CodingKeys: String, CodingKey { case length, steps, counts, opening, closing }

  /// Throws for windows that this build doesn't count, and for counts that add up to too many.
  init(from decoder: any Swift.Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    length = try fields.decode(Int.self, forKey: .length)
    steps = try fields.decode(Double.self, forKey: .steps)
    counts = try fields.decode([Int].self, forKey: .counts)
    opening = try fields.decode([Double].self, forKey: .opening)
    closing = try fields.decode([Double].self, forKey: .closing)
    let known = [Self.momentary, Self.shortTerm].first { isCounted(like: $0) }
    guard known != nil, opening.count < length, closing.count == opening.count,
      counts.allSatisfy({ (0...1 << 32).contains($0) })
    else { throw DecodingError.damagedSummary(decoder, "windows of loudness") }
  }

  /// Whether its windows are those of another.
  func isCounted(like other: LoudnessWindows) -> Bool {
    length == other.length && steps == other.steps && counts.count == other.counts.count
  }

  /// Takes the mean square of the next block, filtered and weighted.
  mutating func add(_ meanSquare: Double) {
    if closing.count == length - 1 { count(closing + [meanSquare]) }
    append(meanSquare)
  }

  private mutating func append(_ meanSquare: Double) {
    if opening.count < length - 1 { opening.append(meanSquare) }
    closing.append(meanSquare)
    if closing.count == length { closing.removeFirst() }
  }

  /// Takes the windows of the blocks that follow.
  mutating func merge(_ next: LoudnessWindows) {
    for index in counts.indices { counts[index] += next.counts[index] }
    let isShort = next.opening.count < length - 1
    for meanSquare in next.opening { add(meanSquare) }
    // Those have all blocks of the next ones where these are few; else the last ones are known.
    if !isShort { closing = next.closing }
  }

  private mutating func count(_ blocks: [Double]) {
    let loudness = Self.loudness(of: blocks.reduce(0, +) / Double(length))
    guard loudness >= Self.lowest else { return }
    counts[step(of: loudness)] += 1
  }

  /// The step of a loudness.
  func step(of loudness: Double) -> Int {
    let step = Int((min(max(loudness, Self.lowest), Self.highest) - Self.lowest) * steps)
    return min(step, counts.count - 1)
  }

  /// The mean square in the middle of a step.
  private func meanSquare(ofStep step: Int) -> Double {
    pow(10, (Self.lowest + (Double(step) + 0.5) / steps + 0.691) / 10)
  }

  /// The mean loudness of the windows from a step on; `nil` where there are none.
  func mean(from first: Int = 0) -> Double? {
    var (sum, total) = (0.0, 0)
    for step in counts.indices.dropFirst(first) where counts[step] > 0 {
      sum += Double(counts[step]) * meanSquare(ofStep: step)
      total += counts[step]
    }
    return total > 0 ? Self.loudness(of: sum / Double(total)) : nil
  }

  /// In LUFS (ITU-R BS.1770, equation 2).
  private static func loudness(of meanSquare: Double) -> Double {
    meanSquare > 0 ? -0.691 + 10 * log10(meanSquare) : -.infinity
  }
}

extension LoudnessWindows {
  /// The integrated loudness in LUFS, of windows of 400 ms (ITU-R BS.1770, annex 1): the mean of those
  /// that are at most 10 LU below the mean of all.
  var integrated: Double? {
    guard let mean = mean() else { return nil }
    return self.mean(from: firstStep(above: mean - 10))
  }

  /// The first step whose middle isn't below a loudness.
  private func firstStep(above loudness: Double) -> Int {
    let step = step(of: loudness)
    return Self.lowest + (Double(step) + 0.5) / steps < loudness ? step + 1 : step
  }

  /// The loudness range in LU, of windows of 3 s (EBU Tech 3342, version 3): from the 10th to the 95th
  /// in a hundred of those that are at most 20 LU below the mean.
  var range: Double {
    guard let mean = mean() else { return 0 }
    let gated = counts[step(of: mean - 20)...]
    return Double(step(of: 0.95, in: gated) - step(of: 0.1, in: gated)) / steps
  }

  /// The step at or below which this part of the windows is, to the nearest window.
  private func step(of part: Double, in counts: ArraySlice<Int>) -> Int {
    let wanted = Int(part * Double(counts.reduce(0, +)) + 0.5)
    var passed = 0
    let step = counts.indices.first { index in
      passed += counts[index]
      return passed >= wanted && passed > 0
    }
    return step ?? counts.endIndex - 1
  }
}
