import Batch
import GraphKit
import GraphKitSystem

/// What a batch tells a person while it runs, and at its end.
struct BatchConsole {
  private let name: String
  private let isQuiet: Bool
  private let isTerminal = StandardStream.error.isTerminal
  private var isShown = false
  private var next: Double
  private var shownFailures = 0

  /// The most failures that are listed one by one.
  private static let failureLimit = 10

  init(_ name: String, isQuiet: Bool) {
    (self.name, self.isQuiet) = (name, isQuiet)
    next = isTerminal ? 0 : 5
  }

  /// Tells how far the batch is: in place on a terminal, every few seconds elsewhere.
  mutating func show(_ progress: BatchProgress) {
    guard !isQuiet, progress.seconds >= next else { return }
    next = progress.seconds + (isTerminal ? 0.2 : 5)
    if isTerminal {
      let width = (StandardStream.error.columns ?? 80) - 1
      try? StandardStream.error.write("\r\u{1B}[K" + progress.text.prefix(width))
      isShown = true
    } else {
      Console.message("\(name): \(progress.text)")
    }
  }

  /// Tells of an item that failed.
  mutating func show(_ failure: FailedRecord) {
    end()
    shownFailures += 1
    if shownFailures <= Self.failureLimit { Console.message(failure.text) }
    if shownFailures == Self.failureLimit + 1 {
      Console.message("… `graphctl batch status` has all of them")
    }
  }

  /// Takes the line away, so that something else can be written.
  mutating func end() {
    if isShown { try? StandardStream.error.write("\r\u{1B}[K") }
    isShown = false
  }

  /// Says what became of all. Throws where not all is done.
  /// - Parameter isSummarized: whether the summary was written, with its list of warnings.
  func conclude(_ account: BatchAccount, isSummarized: Bool) throws {
    if !isQuiet {
      for line in account.warnings.lines(of: name, isSummarized: isSummarized) {
        Console.message(line)
      }
      let time = account.seconds > 0 ? ", in \(account.seconds.decimals(1)) s" : ""
      try Console.data("\(name): \(account.text)\(time)")
    }
    guard !account.isComplete else { return }
    if account.missingRecords > 0 {
      throw CommandFailure(
        status: .fault,
        message: "\(name): error: \(account.missingRecords) records of what was done are gone; "
          + "run it again: `graphctl batch run`")
    }
    throw CommandFailure(status: account.left > 0 ? .stalled : .failed, message: "")
  }
}

extension BatchWarnings {
  /// The first of them, a line each, and where the others are.
  /// - Parameter isSummarized: whether the batch of that name has a summary with a list of them.
  func lines(of batch: String, isSummarized: Bool) -> [String] {
    let shown = first.prefix(Self.shownLimit).map(\.text)
    let rest = total - shown.count
    guard rest > 0 else { return shown }
    let listed = leftOut > 0 ? "the first \(first.count)" : "all of them"
    let place =
      isSummarized
      ? "`\(batch)/summary.json` lists \(listed)"
      : "each file's are in its record, `\(batch)/done`"
    return shown + ["… and \(rest) more warning\(rest == 1 ? "" : "s"); \(place)"]
  }

  /// The most that are listed one by one.
  private static let shownLimit = 10
}

extension FailedRecord {
  /// The failure in a line, or in as many as its message has.
  var text: String { message.hasPrefix(input) ? message : "\(input): error: \(message)" }
}

extension BatchProgress {
  /// `1204 of 10000 done, 3 failed, 12.4 a second, 2:31 left`
  var text: String {
    var parts = ["\(done) of \(count) done"]
    if failed > 0 { parts.append("\(failed) failed") }
    if let secondsLeft { parts.append("about \(secondsLeft.rounded(.up).clock) left") }
    return parts.joined(separator: ", ")
  }
}
