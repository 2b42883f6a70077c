import GraphKit
import GraphKitSystem

/// Has items done by worker processes, as many side by side as there are jobs, and tries those again
/// that may pass. A file that crashes or hangs GStreamer costs an attempt of its item, and no other.
package struct BatchSupervisor {
  /// How items are done.
  package struct Options: Sendable {
    package var jobs = Machine.coreCount
    /// Whether the contents of outputs are compared with the records, too.
    package var verifies = false
    /// Whether items are tried again whose failure was final.
    package var retriesFailed = false
    /// After how many seconds an attempt is ended; `nil` for never.
    package var itemTimeout: Double?
    package var stallTimeout = 10.0
    /// Whether items that take too long are begun once more beside it.
    package var makesBackups = false
    /// Whether items are done in the order in which they are given, rather than the longest first.
    package var keepsOrder = false
    /// The cores that the workers share; `nil` for one each, or all of the machine for a single one.
    package var cores: Int?
    /// The name of the workers' logs.
    package var logName = "worker"

    package init() {}

    /// The cores that each of some workers plans for; `nil` for all of the machine.
    func cores(for jobs: Int) -> Int? { cores.map { max(1, $0 / jobs) } ?? (jobs > 1 ? 1 : nil) }
  }

  private let folder: BatchFolder
  private let items: [BatchItem]
  private let options: Options
  private let interruption: BatchInterruption
  /// What attempts write beside, and may have left something.
  private let outputs: [String]
  /// The workers at most.
  private let jobs: Int
  private let start = ContinuousClock.now
  private var queue = WorkQueue([])
  /// What is to be put together of pieces, once all of them are there.
  private var merges: PieceMerges
  private var crew: Crew
  private var doneBefore: Set<String> = []
  private var saidDone: Set<String> = []
  private var failed = 0
  private var queuedCost = 0.0
  private var backups = BackupAttempts()
  /// What others had done at the last look, and when that was.
  private var doneElsewhere: (names: Set<String>, time: Double) = ([], 0)

  /// A supervisor of some of a batch's items. Where some are pieces, others may do the rest of them;
  /// of `merges` those are done, too, of which no piece is missing in the end.
  package init(
    _ folder: BatchFolder, _ items: [BatchItem], merges: [BatchItem] = [], _ options: Options,
    _ interruption: BatchInterruption
  ) {
    (self.folder, self.items, self.options) = (folder, items, options)
    self.merges = PieceMerges(merges, folder.records)
    outputs = (items + merges).flatMap(\.outputs)
    self.interruption = interruption
    jobs = max(1, min(options.jobs, items.count))
    crew = Crew(
      Crew.Start(
        arguments: [
          "batch", "worker", folder.path, "--stall-timeout", "\(options.stallTimeout)",
        ] + (options.cores(for: jobs).map { ["--cores", "\($0)"] } ?? []),
        logFolder: folder.logFolder, logName: options.logName),
      itemTimeout: options.itemTimeout)
  }

  /// Does all that isn't done. `report` is called now and then with how far it is, and for each failure.
  package mutating func run(
    onProgress: (BatchProgress) -> Void, onFailure: (FailedRecord) -> Void
  ) throws(BatchError) -> BatchAccount {
    sweep()
    fillQueue()
    defer { removeEmptyLogs() }
    while !interruption.isUrgent, crew.isBusy || !queue.isEmpty && !interruption.hasCome {
      try give()
      for event in crew.events(within: 200, since: start) { try handle(event, onFailure) }
      queueMerges()
      giveUpWhatOthersHaveDone()
      onProgress(progress)
    }
    crew.kill()
    sweep()
    var account = BatchAccount(
      items, folder.records, doneBefore: doneBefore, saidDone: saidDone)
    (account.seconds, account.isInterrupted) = (seconds, interruption.hasCome)
    return account
  }

  private var seconds: Double { start.secondsUntilNow }

  private mutating func fillQueue() {
    var todo: [BatchItem] = []
    // Wholes first: of one that is done no piece is needed any longer.
    for item in items.filter({ !$0.pieces.isEmpty }) + items.filter({ $0.pieces.isEmpty }) {
      if let piece = item.piece, folder.records.isDone(piece.item) {
        doneBefore.insert(item.id)
      } else if folder.records.confirm(item.id, verifies: options.verifies) {
        doneBefore.insert(item.id)
      } else if options.retriesFailed || folder.records.lastFailure(item.id)?.isFinal != true {
        if !item.pieces.isEmpty { merges.add(item) } else { todo.append(item) }
      }
    }
    queue = WorkQueue(todo, keepsOrder: options.keepsOrder)
    queuedCost = queue.cost
    queueMerges()
  }

  /// Has pieces put together that are all there, and those made again that aren't as they were.
  private mutating func queueMerges() {
    for merge in merges.takeReady() { queue.putBack(merge) }
    for id in merges.takeLost() {
      saidDone.remove(id)
      doneBefore.remove(id)
      if let piece = items.first(where: { $0.id == id }) { queue.putBack(piece) }
    }
  }

  /// What is to be done next, or once more.
  private mutating func next() -> BatchItem? {
    if let item = queue.next(at: seconds) { return item }
    guard options.makesBackups, queue.isEmpty else { return nil }
    return backups.next(among: crew.running, at: seconds)
  }

  private mutating func give() throws(BatchError) {
    while !interruption.hasCome, crew.hasIdle || crew.count < jobs, let item = next() {
      do throws(File.Failure) { try crew.give(item, at: seconds) } catch {
        throw BatchError(
          .cannotCreate, folder.path, "a worker can't be started: \(error.text)",
          remedy: "end other programs, or take fewer --jobs")
      }
    }
  }

  private mutating func handle(
    _ event: CrewEvent, _ onFailure: (FailedRecord) -> Void
  ) throws(BatchError) {
    switch event {
    case .returned(let item): queue.putBack(item)
    case .answered(let item, let answer, let seconds):
      if case .failed(let record) = answer.outcome {
        try note(record, of: item, onFailure)
      } else {
        noteDone(item)
        backups.note(item, seconds: seconds)
      }
    case .lost(let item, let words, let status, let seconds):
      // It may have published its record before it ended.
      guard !folder.records.isDone(item.id) else { return }
      let record = FailedRecord(
        id: item.id, input: item.input, status: status,
        message: item.message(
          "\(words); look at \(folder.name)/log, and run the graph with this file alone"),
        seconds: seconds)
      try note(record, of: item, onFailure)
    }
  }

  private mutating func note(
    _ record: FailedRecord, of item: BatchItem, _ onFailure: (FailedRecord) -> Void
  ) throws(BatchError) {
    do throws(File.Failure) { try folder.records.add(record) } catch {
      throw BatchError(
        .cannotCreate, folder.path, "a record can't be written: \(error.text)",
        remedy: "make room, then `graphctl batch run` goes on")
    }
    if record.isPassing, !interruption.hasCome {
      // Another attempt of it may be running.
      if crew.running.contains(where: { $0.item.id == item.id }) { return }
      if queue.retry(item, at: seconds) { return }
    }
    crew.giveUp(item.id)
    failed += 1
    onFailure(record)
  }

  /// An item is done, by whichever attempt; the others of it end.
  private mutating func noteDone(_ item: BatchItem) {
    saidDone.insert(item.id)
    crew.giveUp(item.id)
    if item.piece != nil { merges.look() }
  }

  /// Ends attempts of items that others have done meanwhile: each second, those that were done at the
  /// look before and whose own worker has said nothing since.
  private mutating func giveUpWhatOthersHaveDone() {
    guard seconds - doneElsewhere.time > 1 else { return }
    let running = crew.running.map(\.item)
    // Of a long file that is done no piece is needed any longer.
    let needless = running.filter { $0.piece.map { folder.records.isDone($0.item) } == true }
    for item in needless {
      doneBefore.insert(item.id)
      crew.giveUp(item.id)
    }
    let done = running.filter { folder.records.isDone($0.id) }
    for item in done where doneElsewhere.names.contains(item.id) { noteDone(item) }
    doneElsewhere = (Set(done.map(\.id)), seconds)
  }

  private var progress: BatchProgress {
    let rest = queue.cost + crew.costInWork
    let doneCost = queuedCost - rest
    return BatchProgress(
      count: items.count, done: doneBefore.count + saidDone.count, failed: failed,
      left: queue.count, seconds: seconds,
      secondsLeft: doneCost > 1e-6 ? seconds * rest / doneCost : nil)
  }

  private func sweep() {
    let records = folder.records
    records.sweep()
    StagedOutputs.sweep(beside: outputs) { records.isDone($0) }
  }

  /// Most workers have nothing to say.
  private func removeEmptyLogs() {
    for name in Machine.names(in: folder.logFolder) where name.hasPrefix("\(options.logName)-") {
      let path = "\(folder.logFolder)/\(name)"
      if File.facts(of: path)?.size == 0 { File.remove(path) }
    }
  }
}
