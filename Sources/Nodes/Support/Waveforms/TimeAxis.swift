/// Where times are marked on an axis, and how they are written.
struct TimeAxis: Sendable {
  /// A time that has a mark.
  struct Mark: Equatable, Sendable {
    /// Pixels from where the axis begins.
    var x: Int
    /// The text beside it; `nil` for one of the small marks between.
    var label: String?
  }

  /// The time where the axis begins, in seconds.
  var start: Double
  /// Pixels of the picture that a second takes.
  var pixelsPerSecond: Double
  /// The length of the axis in pixels.
  var width: Int
  /// The pixels that a length of one takes.
  var scale: Int

  /// The marks, from left to right: those with labels first.
  var marks: [Mark] {
    guard pixelsPerSecond > 0, pixelsPerSecond.isFinite, start >= 0, start < 1e12 else { return [] }
    guard let step = Self.steps.first(where: { isRoomy($0) }) else { return [] }
    let small = Self.steps.first { step % $0 == 0 && pixels($0) >= Double(6 * scale) } ?? step
    let labelled = times(every: step).map { Mark(x: x($0), label: Self.label($0, step: step)) }
    let others = times(every: small).filter { $0 % step != 0 }.map { Mark(x: x($0), label: nil) }
    return labelled + others
  }

  /// Steps between labels that a person counts in, in microseconds: up to years.
  static let steps: [Int] = {
    let decimals = [1, 10, 100, 1_000, 10_000, 100_000].flatMap { [$0, 2 * $0, 5 * $0] }
    let seconds = [1, 2, 5, 10, 15, 30]
    let hours = [1, 2, 3, 6, 12, 24] + (1...16).map { 24 << $0 }
    return decimals
      + (seconds + seconds.map { $0 * 60 } + hours.map { $0 * 3600 }).map { $0 * 1_000_000 }
  }()

  /// The text of a time in microseconds, as exact as the steps need: `0:05`, `1:02:03`, `0:00.25`.
  static func label(_ time: Int, step: Int) -> String {
    let seconds = time / 1_000_000
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let whole = "\(hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"):\(two(seconds % 60))"
    var (fraction, unit) = (time % 1_000_000, 100_000)
    guard step % 1_000_000 != 0 else { return whole }
    var decimals = ""
    repeat {
      decimals += "\(fraction / unit)"
      fraction %= unit
      unit /= 10
    } while unit > 0 && step % (unit * 10) != 0
    return "\(whole).\(decimals)"
  }

  /// About how wide a label is, in lengths of one, at ``fontSize``.
  static func width(of label: String) -> Double {
    label.reduce(0) { $0 + ($1.isNumber ? 0.64 : 0.34) * fontSize }
  }

  /// The size of the labels' font, in lengths of one.
  static let fontSize = 11.0

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private func pixels(_ step: Int) -> Double { Double(step) / 1e6 * pixelsPerSecond }

  /// Whether the labels of a step stand well apart.
  private func isRoomy(_ step: Int) -> Bool {
    let end = start + Double(width) / pixelsPerSecond
    let label = Self.label(Int(min(end, 1e12) * 1e6), step: step)
    return pixels(step) >= max(60, Self.width(of: label) + 20) * Double(scale)
  }

  private func x(_ time: Int) -> Int {
    Int(((Double(time) / 1e6 - start) * pixelsPerSecond).rounded())
  }

  private func times(every step: Int) -> [Int] {
    let first = (Int((start * 1e6).rounded(.up)) + step - 1) / step
    let most = Int(Double(width) / pixels(step)) + 2
    return (first..<first + most).map { $0 * step }.filter { x($0) < width }
  }
}
