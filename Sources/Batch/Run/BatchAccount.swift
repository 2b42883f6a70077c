import GraphKit
import GraphKitSystem

/// What became of each item, as the records say after a run: every item is one of these.
package struct BatchAccount: Sendable {
  /// Done in this run.
  package var done = 0
  /// Done before, and unchanged since.
  package var skipped = 0
  /// The last attempt of each that failed.
  package var failures: [FailedRecord] = []
  /// Neither done nor failed: not begun yet, or left by an interruption.
  package var left = 0
  /// How long those may take, in seconds of one core.
  package var leftCost = 0.0
  package var seconds = 0.0
  /// Whether a signal ended the run.
  package var isInterrupted = false
  /// What the workers said was done, beyond what the records say: none, unless records were lost.
  package var missingRecords = 0

  package var count: Int { done + skipped + failures.count + left }
  package var isComplete: Bool { failures.isEmpty && left == 0 && missingRecords == 0 }

  /// Looks at the records of some items.
  package init(
    _ items: [BatchItem], _ records: BatchRecords, doneBefore: Set<String> = [],
    saidDone: Set<String> = []
  ) {
    let names = records.doneNames
    for item in items {
      if names.contains(item.id) {
        if doneBefore.contains(item.id) { skipped += 1 } else { done += 1 }
      } else if let failure = records.lastFailure(item.id) {
        failures.append(failure)
      } else {
        left += 1
        leftCost += item.cost
      }
    }
    missingRecords = saidDone.subtracting(names).count
  }

  /// `28 done, 1 failed, 1 skipped, 0 left`
  package var text: String {
    "\(done) done, \(failures.count) failed, \(skipped) skipped, \(left) left"
  }

  var json: String {
    JSONTree(members: [
      ("items", JSONTree(number: Double(count))), ("done", JSONTree(number: Double(done))),
      ("failed", JSONTree(number: Double(failures.count))),
      ("skipped", JSONTree(number: Double(skipped))), ("left", JSONTree(number: Double(left))),
      ("seconds", JSONTree(number: seconds)), ("interrupted", JSONTree(.bool(isInterrupted))),
      (
        "failures",
        JSONTree(
          .array(
            failures.map {
              JSONTree(members: [
                ("id", JSONTree(.string($0.id))), ("input", JSONTree(.string($0.input))),
                ("status", JSONTree(number: Double($0.status))),
                ("message", JSONTree(.string($0.message))),
              ])
            }))
      ),
    ]).json
  }
}

/// How far a run is.
package struct BatchProgress: Sendable {
  package var count: Int
  package var done: Int
  package var failed: Int
  package var left: Int
  package var seconds: Double
  /// How long the rest may take; `nil` where that isn't known yet.
  package var secondsLeft: Double?
}
