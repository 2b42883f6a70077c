/// A step by which a live graph that can't keep up gives up quality, or gets it back.
public struct EconomyChange: Sendable, Hashable {
  /// The step: `set NODE.PARAMETER=VALUE`.
  public var step: String
  /// Whether quality is given up from now on; `false` where it comes back.
  public var isTaken: Bool
  /// How far the media of live sources has come, in seconds of the run's time.
  public var position: Double
  /// Why, in words.
  public var cause: String
}

/// A step that was taken in a run.
public struct EconomyReport: Sendable, Hashable, Codable {
  /// The step: `set NODE.PARAMETER=VALUE`.
  public var step: String
  /// From when on, in seconds of the run's time.
  public var taken: Double
  /// Why, in words.
  public var cause: String
  /// Until when; `nil` where it held to the end.
  public var takenBack: Double?
}

/// The steps that were taken so far: the first of them.
struct EconomyLog: Sendable {
  /// A run of days may see many.
  private static let most = 10_000
  private(set) var reports: [EconomyReport] = []
  /// The steps in force, by their places among the reports; `nil` for one that has none.
  private var open: [Int?] = []

  mutating func add(_ change: EconomyChange) {
    let time = change.position.rounded(to: 6)
    guard change.isTaken else {
      if let place = open.popLast() ?? nil { reports[place].takenBack = time }
      return
    }
    guard reports.count < Self.most else { return open.append(nil) }
    open.append(reports.count)
    reports.append(EconomyReport(step: change.step, taken: time, cause: change.cause))
  }
}
