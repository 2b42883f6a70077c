import GraphKit
import GraphKitSystem

/// Runs the items that come by standard input, a line each, one after the other in this process, and
/// answers each by a line. It ends when the input does.
package struct BatchWorker {
  private let run: ItemRun
  private let records: BatchRecords

  package init(
    _ job: BatchJob, _ folder: BatchFolder, cores: Int?, stallTimeout: Double
  ) {
    records = folder.records
    run = ItemRun(
      job: job, folder: folder, cores: cores, stallTimeout: stallTimeout)
  }

  package func work() {
    var lines = InputLines()
    while let line = lines.next() {
      guard let item = BatchItem(line: line) else { continue }
      let answer = run.run(item, attempt: records.attempts(item.id) + 1)
      guard (try? StandardStream.output.write(answer.line + "\n")) != nil else { return }
      // Threads that hang hold what the next run may need; another process begins anew.
      if LostThreads.areThere { LostThreads.endProcess(0) }
    }
  }
}
