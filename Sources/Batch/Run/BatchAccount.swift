import GraphKit
import GraphKitSystem

/// What became of each item, as the records say after a run: every item is one of these.
package struct BatchAccount: Sendable {
  /// Done in this run.
  package var done = 0
  /// Done before, and unchanged since.
  package var skipped = 0
  /// Those that failed: the file, or some piece of it.
  package var failed = 0
  /// The last attempt of each file, or piece, that failed.
  package var failures: [FailedRecord] = []
  /// Neither done nor failed: not begun yet, or left by an interruption.
  package var left = 0
  /// How long those may take, in seconds of one core.
  package var leftCost = 0.0
  /// How many pieces of long files are done, and how many there are.
  package var pieces = (done: 0, count: 0)
  /// What the runs of those that are done warned of, where that was looked up.
  package var warnings = BatchWarnings()
  package var seconds = 0.0
  /// Whether a signal ended the run.
  package var isInterrupted = false
  /// What the workers said was done, beyond what the records say: none, unless records were lost.
  package var missingRecords = 0

  package var count: Int { done + skipped + failed + left }
  package var isComplete: Bool { failed == 0 && left == 0 && missingRecords == 0 }

  /// Looks at the records of some items.
  package init(
    _ items: [BatchItem], _ records: BatchRecords, doneBefore: Set<String> = [],
    saidDone: Set<String> = []
  ) {
    let names = records.doneNames
    let wholes = Set(items.filter { !$0.pieces.isEmpty }.map(\.id))
    var damaged: Set<String> = []
    for item in items {
      if let piece = item.piece, wholes.contains(piece.item) {
        if note(item, of: piece, names, records) { damaged.insert(piece.item) }
      } else if names.contains(item.id) {
        if doneBefore.contains(item.id) { skipped += 1 } else { done += 1 }
      } else if let failure = records.lastFailure(item.id) {
        failures.append(failure)
        failed += 1
      } else if damaged.contains(item.id) {
        failed += 1
      } else {
        left += 1
        leftCost += item.cost
      }
    }
    missingRecords = saidDone.subtracting(names).count
  }

  /// Takes over what has become of the items since, of the same run.
  package mutating func update(_ later: BatchAccount) {
    let (seconds, isInterrupted) = (seconds, isInterrupted)
    self = later
    (self.seconds, self.isInterrupted) = (seconds, isInterrupted)
  }

  /// Takes account of a piece, which comes before the item that puts it and others together; whether
  /// it failed.
  private mutating func note(
    _ item: BatchItem, of piece: BatchPiece, _ names: Set<String>, _ records: BatchRecords
  ) -> Bool {
    pieces.count += 1
    if names.contains(item.id) || names.contains(piece.item) {
      pieces.done += 1
    } else if let failure = records.lastFailure(item.id) {
      failures.append(failure)
      return true
    } else {
      leftCost += item.cost
    }
    return false
  }

  /// `28 done, 1 failed, 1 skipped, 0 left`, for long files `; 63 of 64 pieces`, and where there were
  /// any `; 2 with warnings`
  package var text: String {
    "\(done) done, \(failed) failed, \(skipped) skipped, \(left) left"
      + (pieces.count > 0 ? "; \(pieces.done) of \(pieces.count) pieces" : "")
      + (warnings.count > 0 ? "; \(warnings.count) with warnings" : "")
  }

  var json: String {
    JSONTree(members: [
      ("items", JSONTree(number: Double(count))), ("done", JSONTree(number: Double(done))),
      ("failed", JSONTree(number: Double(failed))),
      ("skipped", JSONTree(number: Double(skipped))), ("left", JSONTree(number: Double(left))),
      ("pieces", JSONTree(number: Double(pieces.count))),
      ("piecesDone", JSONTree(number: Double(pieces.done))),
      ("warned", JSONTree(number: Double(warnings.count))),
      ("warningsLeftOut", JSONTree(number: Double(warnings.leftOut))),
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
      (
        "warnings",
        JSONTree(
          .array(
            warnings.first.map {
              JSONTree(members: [
                ("id", JSONTree(.string($0.id))), ("input", JSONTree(.string($0.input))),
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
