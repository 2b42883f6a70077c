/// How channels for some speakers are mixed to those for others: for each channel that leaves the factors
/// of those that enter.
///
/// A speaker that is on both sides keeps its channel. One that is missing goes to the nearest that are
/// there, those at the centre and at the back 3 dB lower (ITU-R BS.775-4, Annex 4), and low-frequency
/// effects are left out. Where all channels at full scale would be too loud, all are lowered alike.
package struct ChannelMix: Hashable, Sendable {
  /// The factors, a row for each channel that leaves.
  package private(set) var factors: [[Double]]

  /// How channels of some speakers become those of others.
  package init(from: Speakers, to: Speakers) {
    let (entering, leaving) = (from.each, to.each)
    var factors = [[Double]](
      repeating: [Double](repeating: 0, count: entering.count), count: leaving.count)
    for (channel, speaker) in entering.enumerated() {
      for (target, factor) in Self.targets(of: speaker, from: from, to: to) {
        guard let row = leaving.firstIndex(of: target) else { continue }
        factors[row][channel] = factor
      }
    }
    let loudest = factors.map { $0.reduce(0, +) }.max() ?? 0
    self.factors = loudest > 1 ? factors.map { $0.map { $0 / loudest } } : factors
  }

  /// Channels as they are, whatever speakers they are for.
  package init(keeping count: Int) {
    factors = (0..<count).map { row in (0..<count).map { $0 == row ? 1 : 0 } }
  }

  /// Whether each channel that enters has one to itself, as loud as it is.
  package var keepsChannels: Bool {
    let columns = (factors.first?.indices ?? 0..<0).map { column in factors.map { $0[column] } }
    return columns.allSatisfy { $0.contains(1) && $0.reduce(0, +) == 1 }
      && factors.allSatisfy { $0.reduce(0, +) <= 1 }
  }

  /// The same with the channels that leave in another order: the first is the one of the first number.
  package func reordered(_ order: [Int]) -> ChannelMix {
    var mix = self
    mix.factors = order.map { factors[$0] }
    return mix
  }

  private static func targets(
    of speaker: Speakers, from: Speakers, to: Speakers
  ) -> [(Speakers, Double)] {
    guard !to.isSuperset(of: speaker) else { return [(speaker, 1)] }
    let way = (ways[speaker] ?? []).first { to.isSuperset(of: $0.to) }
    guard let way else { return [] }
    // Where the place has a channel of its own, too.
    let isShared = !from.isDisjoint(with: way.to)
    // Mono stays as loud as it is.
    let factor = from == .frontCenter ? 1 : isShared ? way.shared : way.factor
    return way.to.each.map { ($0, factor) }
  }

  private struct Way {
    let to: Speakers
    let factor: Double
    /// The same where the speakers that are there have channels of their own.
    let shared: Double

    init(to: Speakers, factor: Double, shared: Double? = nil) {
      (self.to, self.factor, self.shared) = (to, factor, shared ?? factor)
    }
  }

  private static let lower = 0.5.squareRoot()

  /// Where a channel goes whose speaker is missing, the best first.
  private static let ways: [Speakers: [Way]] = [
    .frontLeft: [Way(to: .frontCenter, factor: lower)],
    .frontRight: [Way(to: .frontCenter, factor: lower)],
    .frontCenter: [Way(to: .stereo, factor: lower)],
    .backLeft: surround([.sideLeft], .frontLeft),
    .backRight: surround([.sideRight], .frontRight),
    .sideLeft: surround([.backLeft], .frontLeft),
    .sideRight: surround([.backRight], .frontRight),
    .backCenter: [
      Way(to: [.backLeft, .backRight], factor: lower),
      Way(to: [.sideLeft, .sideRight], factor: lower), Way(to: .stereo, factor: 0.5),
      Way(to: .frontCenter, factor: 0.5),
    ],
    .frontLeftOfCenter: front(.frontLeft), .frontRightOfCenter: front(.frontRight),
    .topFrontLeft: front(.frontLeft), .topFrontRight: front(.frontRight),
    .topBackLeft: surround([.backLeft, .sideLeft], .frontLeft),
    .topBackRight: surround([.backRight, .sideRight], .frontRight),
  ]

  private static func surround(_ near: [Speakers], _ front: Speakers) -> [Way] {
    near.map { Way(to: $0, factor: 1, shared: lower) } + [
      Way(to: .backCenter, factor: lower), Way(to: front, factor: lower),
      Way(to: .frontCenter, factor: 0.5),
    ]
  }

  private static func front(_ side: Speakers) -> [Way] {
    [Way(to: side, factor: 1), Way(to: .frontCenter, factor: lower)]
  }
}
