import GStreamer
import GraphKit
import GraphKitSystem

/// Shows what happens in a run while it runs: events as JSON lines, progress for people.
struct RunWatch {
  /// The kinds of events that are written.
  var events: Set<PipelineEvent.Name>
  var showsProgress: Bool

  /// Begins to show a pipeline's events, unless nothing is to be shown: then no listener is added,
  /// and the run makes no events.
  func begin(_ pipeline: Pipeline) -> RunningWatch? {
    guard !events.isEmpty || showsProgress else { return nil }
    let shown = showsProgress ? ProgressLine.kinds : []
    let stream = pipeline.events(of: events.union(shown))
    let watch = RunningWatch()
    Task {
      watch.end(await follow(stream))
    }
    return watch
  }

  /// Shows the events of a stream until it ends. Returns why not all of them could be written.
  private func follow(_ stream: AsyncStream<PipelineEvent>) async -> CommandFailure? {
    var failure: CommandFailure?
    var line = ProgressLine(isTerminal: StandardStream.error.isTerminal)
    var isListenedTo = true
    for await event in stream {
      if isListenedTo, events.contains(event.kind.name) {
        // Events that can't be written are no reason to lose the recording.
        do {
          isListenedTo = try Console.stream(JSONTree(encoding: event).jsonLine)
        } catch {
          (failure, isListenedTo) = (error as? CommandFailure, false)
        }
      }
      if showsProgress { line.show(event) }
    }
    if showsProgress { line.clear() }
    return failure
  }
}

/// A watch that goes on beside the thread that waits for the run.
final class RunningWatch: Sendable {
  private struct State {
    var isOver = false
    var failure: CommandFailure?
  }
  private let state = Monitor(State())

  fileprivate func end(_ failure: CommandFailure?) {
    state.withLock { $0 = State(isOver: true, failure: failure) }
    state.wakeAll()
  }

  /// Waits until the last event has been shown.
  func waitForEnd() {
    state.withLock { state in
      while !state.isOver { self.state.wait(&state) }
    }
  }

  /// Why not all events could be written.
  var failure: CommandFailure? { state.withLock { $0.failure } }
}

/// A line that says how far a run has come: rewritten in place on a terminal, a new one every few
/// seconds elsewhere.
struct ProgressLine {
  private let isTerminal: Bool
  private var isShown = false
  private var next = ProgressLine.interval

  /// Seconds between lines where there is no terminal.
  private static let interval = 5.0

  /// The kinds of events that it shows.
  static let kinds: Set<PipelineEvent.Name> = [.progress, .warning, .state, .economy]

  init(isTerminal: Bool) { self.isTerminal = isTerminal }

  mutating func show(_ event: PipelineEvent) {
    switch event.kind {
    case .progress(let progress): show(progress, at: event.time)
    case .warning(let node, let message):
      clear()
      Console.message("\(node.map { "\($0): " } ?? "")warning: \(message)")
    case .economy(let change):
      clear()
      let what = change.isTaken ? "can't keep up, so" : "keeps up, so no longer"
      Console.message("\(change.position.clock): \(what): \(change.step) (\(change.cause))")
    case .state(.finishing):
      clear()
      if isTerminal { Console.message("finishing") }
    default: break
    }
  }

  private mutating func show(_ progress: PipelineEvent.Progress, at time: Double) {
    if isTerminal {
      let width = (StandardStream.error.columns ?? 80) - 1
      try? StandardStream.error.write("\r\u{1B}[K" + progress.text.prefix(width))
      isShown = true
    } else if time >= next {
      next = time + Self.interval
      Console.message(progress.text)
    }
  }

  /// Takes the line away, so that something else can be written.
  mutating func clear() {
    if isShown { try? StandardStream.error.write("\r\u{1B}[K") }
    isShown = false
  }
}

extension PipelineEvent.Progress {
  /// The progress in words, with the pass where it is the first of two: `0:03.2 of 0:10.0, 32 %, 1.0 times as fast as it plays, 0:07 left`.
  var text: String {
    var parts = pass.map { ["pass \($0) of 2"] } ?? []
    parts.append(position.clock + (duration.map { " of \($0.clock)" } ?? ""))
    if let fraction { parts.append("\(Int((fraction * 100).rounded(.down))) %") }
    parts.append("speed \(speed.decimals(2))")
    if let secondsLeft { parts.append("\(secondsLeft.rounded(.up).short) s left") }
    return parts.joined(separator: ", ")
  }
}

extension Double {
  /// The number with just so many decimals.
  func decimals(_ places: Int) -> String {
    guard isFinite, abs(self) < 1e12 else { return "\(self)" }
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let units = Int((abs(self) * Double(scale)).rounded())
    let sign = self < 0 && units > 0 ? "-" : ""
    guard places > 0 else { return sign + "\(units)" }
    let fraction = "\(units % scale)"
    return sign + "\(units / scale)." + String(repeating: "0", count: places - fraction.count)
      + fraction
  }

  /// Seconds as minutes and seconds, with hours where there are any: `1:02:03.4`.
  var clock: String {
    let tenths = Int((max(0, min(self, 1e9)) * 10).rounded(.down))
    let (hours, minutes, rest) = (tenths / 36_000, tenths / 600 % 60, tenths % 600)
    let seconds = "\(rest / 100)\(rest / 10 % 10).\(rest % 10)"
    guard hours > 0 else { return "\(minutes):\(seconds)" }
    return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(seconds)"
  }
}
