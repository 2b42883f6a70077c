/// How full the wires of a live graph are at a moment of its media.
struct WireObservation: Hashable, Sendable {
  /// When, in seconds of media.
  var time: Double
  /// How full the fullest wire is, from 0 to 1.
  var level: Double
  /// That wire.
  var wire: String
  /// How many samples live sources have lost so far since a wire was full.
  var dropped: Int
}

/// Decides when a live graph gives up quality, and when it gets some back: a pure state machine over
/// what is observed, whose time is that of the media.
///
/// A graph is too slow where a wire stays half full for half a second, or a sample of a live source
/// is dropped. Then the next step is taken, and no other before another half second has passed, nor
/// while the wire empties. It has room where no wire is a quarter full. After five seconds of that the
/// last step is taken back, and after five more the one before. Where a step has to be taken again
/// soon after that, the next wait is twice as long.
struct EconomyJudge: Sendable {
  /// What is to be done.
  enum Verdict: Hashable, Sendable {
    /// The next step is taken, since a wire is full.
    case take(cause: String)
    /// The last step is taken back, after so many seconds with room.
    case takeBack(rest: Double)
  }

  private let rule: EconomyRule
  /// How many steps there are.
  private let count: Int
  /// How many of them are taken.
  private(set) var taken = 0
  private var window: Window?
  /// The mean of the window before; `nil` in the first one.
  private var before: Double?
  /// Whether a step was taken at the end of the window before, so that this one shows its effect.
  private var isSettling = false
  private var calmSince: Double?
  private var rest: Double
  private var lastTakenBack: Double?

  init(steps count: Int, rule: EconomyRule = EconomyRule()) {
    (self.count, self.rule) = (count, rule)
    rest = rule.rest
  }

  /// Takes what is observed; observations come in the order of their times, and any number of one.
  mutating func observe(_ observation: WireObservation) -> Verdict? {
    guard var window else {
      self.window = Window(observation)
      return nil
    }
    window.add(observation)
    self.window = window
    guard observation.time - window.start >= rule.window else { return nil }
    self.window = Window(observation)
    return judge(window, at: observation.time)
  }

  private mutating func judge(_ window: Window, at time: Double) -> Verdict? {
    defer { before = window.mean }
    let wasSettling = isSettling
    isSettling = false
    let hasRoom = window.highest <= rule.calm && window.lost == 0
    calmSince = hasRoom ? calmSince ?? window.start : nil
    if hasRoom { return settle(at: time) }
    guard !wasSettling, taken < count, isSlow(window) else { return nil }
    if let lastTakenBack, time - lastTakenBack < rest { rest = min(2 * rest, rule.longestRest) }
    taken += 1
    isSettling = true
    return .take(cause: window.cause)
  }

  private func isSlow(_ window: Window) -> Bool {
    if window.lost > 0 { return true }
    let empties = before.map { window.mean < $0 - rule.fall } ?? false
    return window.lowest >= rule.slow && !empties
  }

  /// The graph has had room for a window.
  private mutating func settle(at time: Double) -> Verdict? {
    if let lastTakenBack, taken == 0, time - lastTakenBack >= rule.longestRest { rest = rule.rest }
    guard taken > 0, let calmSince, time - calmSince >= rest else { return nil }
    taken -= 1
    lastTakenBack = time
    self.calmSince = nil
    return .takeBack(rest: time - calmSince)
  }
}

/// What was observed for some time.
private struct Window: Sendable {
  let start: Double
  private let firstDropped: Int
  private var sum: Double
  private var count = 1
  private(set) var lowest: Double
  private var fullest: WireObservation
  private var lastDropped: Int

  init(_ first: WireObservation) {
    start = first.time
    (firstDropped, lastDropped) = (first.dropped, first.dropped)
    (sum, lowest, fullest) = (first.level, first.level, first)
  }

  mutating func add(_ observation: WireObservation) {
    sum += observation.level
    count += 1
    lowest = min(lowest, observation.level)
    if observation.level > fullest.level { fullest = observation }
    lastDropped = observation.dropped
  }

  var mean: Double { sum / Double(count) }
  var highest: Double { fullest.level }
  var lost: Int { lastDropped - firstDropped }

  /// Why the graph is too slow, in words.
  var cause: String {
    let level = "\(fullest.wire) was \(Int((fullest.level * 100).rounded())) % full"
    return lost == 0
      ? level : level + ", and \(lost) sample\(lost == 1 ? " was" : "s were") dropped"
  }
}
