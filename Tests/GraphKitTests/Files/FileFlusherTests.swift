import GraphKitSystem
import TestTools
import Testing

/// Flushes of a file that is being recorded.
@Suite(.inTurn) struct FileFlusherTests {
  /// A disk that takes as long as the test wants.
  private final class Disk: Sendable {
    struct State {
      var begun = 0
      var ended = 0
      var isStuck = false
    }
    private let state = Monitor(State())

    var flush: FileFlusher.Flush {
      { [state] () throws(File.Failure) in
        state.withLock { current in
          current.begun += 1
          state.wakeAll()
          while current.isStuck { state.wait(&current) }
          current.ended += 1
          state.wakeAll()
          return current.begun * 1_000
        }
      }
    }

    func setStuck(_ isStuck: Bool) {
      state.withLock { $0.isStuck = isStuck }
      state.wakeAll()
    }

    func wait(until condition: (State) -> Bool) -> State {
      state.withLock { current in
        while !condition(current) { state.wait(&current) }
        return current
      }
    }
  }

  @Test func whatIsWrittenIsFlushedAndNothingElse() {
    let disk = Disk()
    let flusher = FileFlusher(interval: .milliseconds(1), onFailure: { _ in }, disk.flush)
    #expect(flusher.flushedCount == 0)
    for count in 1...5 {
      flusher.noteWrite()
      #expect(disk.wait { $0.ended >= count }.ended == count)
    }
    flusher.stop()
    #expect(flusher.flushedCount == 5_000)
    flusher.noteWrite()
    #expect(disk.wait { _ in true }.begun == 5)
  }

  @Test func aSlowDiskKeepsNobodyWaiting() {
    let disk = Disk()
    disk.setStuck(true)
    let flusher = FileFlusher(interval: .milliseconds(1), onFailure: { _ in }, disk.flush)
    flusher.noteWrite()
    _ = disk.wait { $0.begun == 1 }
    for _ in 0..<10_000 { flusher.noteWrite() }
    #expect(flusher.flushedCount == 0)
    disk.setStuck(false)
    // All that came meanwhile is one flush.
    #expect(disk.wait { $0.ended == 2 }.begun == 2)
    flusher.stop()
  }

  @Test func theEndWaitsForADiskAtMostForAWhile() {
    let disk = Disk()
    disk.setStuck(true)
    let flusher = FileFlusher(interval: .milliseconds(1), onFailure: { _ in }, disk.flush)
    flusher.noteWrite()
    _ = disk.wait { $0.begun == 1 }
    flusher.stop(waiting: .milliseconds(20))
    #expect(disk.wait { _ in true }.ended == 0)
    disk.setStuck(false)
  }

  @Test func aFailureIsReportedOnce() {
    let failures = Monitor<[Int32]>([])
    let flusher = FileFlusher(
      interval: .milliseconds(1),
      onFailure: { failure in
        failures.withLock { $0.append(failure.code) }
        failures.wakeAll()
      },
      { () throws(File.Failure) in throw .tooLarge })
    flusher.noteWrite()
    failures.withLock { found in while found.isEmpty { failures.wait(&found) } }
    flusher.noteWrite()
    flusher.stop()
    #expect(failures.withLock { $0 } == [File.Failure.tooLarge.code])
    #expect(throws: File.Failure.self) { try flusher.flush() }
  }
}
