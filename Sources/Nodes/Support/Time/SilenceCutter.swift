/// Shortens the silences of audio while it comes, and says what it takes out.
///
/// Of a silence that lasts long enough, as much is left as it is shortened to: one half where it
/// begins, the other where it ends. What is taken out in between is a whole number of grid steps, so
/// that as many frames of video can be left out with it: a silence keeps up to a step more. The samples
/// of all cuts together are as long as the steps of all, to the nearest sample.
struct SilenceCutter: Sendable {
  /// What is taken out at one place.
  struct Cut: Hashable, Sendable {
    /// The step of the grid at or after its beginning, in the time of what comes.
    let first: Int
    /// How many steps it takes out; it grows while the silence goes on.
    var count: Int
  }

  private let sampleRate: Int
  private let channels: Int
  private let threshold: Float
  /// Steps in `grid.scale` seconds.
  private let grid: (steps: Int, scale: Int)
  /// Frames of the shortest silence that is shortened, and of what is left of it.
  private let shortest, head, tail: Int
  /// Frames that have come.
  private(set) var count = 0
  /// Frames of the silence that goes on.
  private var silent = 0
  /// What is kept of it that may yet be left out.
  private var held: [Float] = []
  private var removedHere = 0
  private var stepsBefore = 0
  /// What was taken out so far, in order.
  private(set) var cuts: [Cut] = []
  private var hasEnded = false

  /// A cutter of audio in frames of so many channels, for silences of `over` seconds and more, which
  /// last `to` seconds then; of `steps` in `scale` seconds.
  init(
    sampleRate: Int, channels: Int, threshold: Double, over: Double, to: Double,
    grid: (steps: Int, scale: Int)
  ) {
    (self.sampleRate, self.channels, self.grid) = (sampleRate, max(1, channels), grid)
    self.threshold = Float(threshold)
    func frames(_ seconds: Double) -> Int { Int((seconds * Double(sampleRate)).rounded()) }
    let left = frames(to)
    (shortest, head, tail) = (max(1, frames(over)), left / 2, left - left / 2)
  }

  private var steps: Int { stepsBefore + (removedHere > 0 ? cuts.last?.count ?? 0 : 0) }

  /// The first step of the grid of which it isn't known yet whether it is taken out.
  var decided: Int {
    if hasEnded { return .max }
    if removedHere > 0, let last = cuts.last { return last.first + last.count }
    return step(atOrAfter: count - max(0, silent - head))
  }

  private func step(atOrAfter frame: Int) -> Int {
    (frame * grid.steps + sampleRate * grid.scale - 1) / (sampleRate * grid.scale)
  }

  /// How many frames of audio so many steps are.
  private func frames(ofSteps steps: Int) -> Int {
    let whole = sampleRate * grid.scale
    return (steps * whole + grid.steps / 2) / grid.steps
  }

  /// Takes samples, and returns those that are known to stay.
  mutating func add(_ values: [Float]) -> [Float] {
    var output: [Float] = []
    output.reserveCapacity(values.count)
    var start = 0
    let frames = values.count / channels
    while start < frames {
      let isSilent = isSilent(values, start)
      var end = start + 1
      while end < frames, self.isSilent(values, end) == isSilent { end += 1 }
      let run = values[start * channels..<end * channels]
      if isSilent {
        addSilence(run, to: &output)
      } else {
        endSilence(&output)
        output += run
      }
      count += end - start
      start = end
    }
    return output
  }

  /// Ends the last silence, and returns what is left of it.
  mutating func finish() -> [Float] {
    var output: [Float] = []
    endSilence(&output)
    hasEnded = true
    return output
  }

  private func isSilent(_ values: [Float], _ frame: Int) -> Bool {
    for channel in 0..<channels where abs(values[frame * channels + channel]) >= threshold {
      return false
    }
    return true
  }

  private mutating func addSilence(_ run: ArraySlice<Float>, to output: inout [Float]) {
    let first = min(max(0, head - silent), run.count / channels) * channels
    output += run.prefix(first)
    held += run.dropFirst(first)
    let start = count - silent
    silent += run.count / channels
    guard silent >= shortest else { return }
    takeOut(from: start + head)
  }

  /// Takes out as many whole steps as there are more frames than are left of the silence.
  private mutating func takeOut(from frame: Int) {
    let before = frames(ofSteps: stepsBefore)
    let most = before + silent - head - tail
    guard most > before else { return }
    var total = most * grid.steps / (sampleRate * grid.scale)
    while frames(ofSteps: total) > most { total -= 1 }
    let removed = frames(ofSteps: total) - before
    guard removed > removedHere else { return }
    if removedHere == 0 { cuts.append(Cut(first: step(atOrAfter: frame), count: 0)) }
    cuts[cuts.count - 1].count = total - stepsBefore
    held.removeFirst((removed - removedHere) * channels)
    removedHere = removed
  }

  private mutating func endSilence(_ output: inout [Float]) {
    output += held
    stepsBefore = steps
    (held, silent, removedHere) = ([], 0, 0)
  }
}
