/// The search for the gain before a limiter with which audio has a loudness: what a limiter takes away
/// is known only once it has been at work.
struct LoudnessSearch {
  /// What was measured of all of the audio behind a limiter.
  struct Pass {
    /// In LUFS; `nil` where there was no loudness to measure.
    var loudness: Double?
    /// By how much peaks were reduced at most, in decibels.
    var reduction = 0.0
    /// For how many seconds.
    var limited = 0.0
  }

  let target: Double
  let ceiling: Double
  private var gain: Double
  private var pass = Pass()
  private var count = 0
  /// The gain and the loudness of the pass before; without a limiter, loudness goes up with the gain.
  private var last: (gain: Double, loudness: Double)
  /// The passes in a row that were hardly louder than those before them, and the first of them.
  private var flat: (count: Int, gain: Double, pass: Pass)?
  private(set) var goesOn = true

  init(target: Double, ceiling: Double, loudness: Double) {
    (self.target, self.ceiling) = (target, ceiling)
    gain = target - loudness
    last = (0, loudness)
  }

  /// The tolerance of the target, in LU: half of the resolution that meters show.
  private static let tolerance = 0.05
  private static let mostPasses = 12
  /// By how many decibels the gain goes up at once.
  private static let largestStep = 6.0
  /// Where a decibel of gain makes it less than this louder in so many passes, it is as loud as limiting
  /// makes it: what is between the peaks would come up with the second already.
  private static let (leastSlope, flatPasses) = (0.02, 3)
  /// So it is where peaks are reduced by more than this.
  private static let largestReduction = 24.0
  /// What levels between samples may be higher than the limiter finds them.
  private static let margin = 0.1

  /// The limiter of the next pass.
  var limiter: Limiter {
    var limiter = Limiter()
    (limiter.gain, limiter.ceiling, limiter.truePeak) = (gain, ceiling - Self.margin, true)
    return limiter
  }

  /// Takes what the limiter has made of the audio, and sets the next where that isn't it.
  mutating func note(_ pass: Pass) {
    self.pass = pass
    count += 1
    let loudness = pass.loudness ?? target
    let missing = target - loudness
    let rise = gain - last.gain
    let slope = abs(rise) > 0.001 ? (loudness - last.loudness) / rise : 1
    last = (gain, loudness)
    if missing > 0, slope < Self.leastSlope {
      flat = ((flat?.count ?? 0) + 1, flat?.gain ?? gain, flat?.pass ?? pass)
    } else {
      flat = nil
    }
    let isLoudest = flat?.count == Self.flatPasses || pass.reduction > Self.largestReduction
    goesOn = abs(missing) > Self.tolerance && !isLoudest && count < Self.mostPasses
    if !goesOn, let flat { (gain, self.pass) = (flat.gain, flat.pass) }
    guard goesOn else { return }
    gain += min(Self.largestStep, missing / min(1, max(Self.leastSlope, slope)))
  }

  /// What was measured, applied and limited, in a sentence.
  func words(from loudness: Double) -> String {
    let reached = pass.loudness ?? loudness
    let report =
      "its loudness was \(text(loudness)) LUFS and is \(text(reached)): a gain of "
      + "\(text(gain)) dB, and a limiter at \(text(ceiling)) dBTP that took up to "
      + "\(text(pass.reduction)) dB from peaks, for \(text(pass.limited)) s of the audio"
    guard target - reached > 2 * Self.tolerance else { return report }
    return report + ", \(text(target - reached)) LU below the target of \(text(target)) LUFS; "
      + "lower the target, or put a `compressor` before it"
  }

  private func text(_ level: Double) -> String { "\((level * 10).rounded() / 10)" }
}
