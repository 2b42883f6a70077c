import GraphKitSystem
import TestTools
import Testing

/// Work that a thread does for others, in order.
@Suite(.inTurn) struct OrderedWorkTests {
  /// What was done, and a gate that holds it up.
  private final class Log: Sendable {
    let state = Monitor((done: [Int](), isHeld: false))

    func piece(_ number: Int) -> OrderedWork.Body {
      { [self] in
        state.withLock { current in
          while current.isHeld { state.wait(&current) }
          current.done.append(number)
        }
        state.wakeAll()
      }
    }

    func hold(_ isHeld: Bool) {
      state.withLock { $0.isHeld = isHeld }
      state.wakeAll()
    }

    var done: [Int] { state.withLock { $0.done } }
  }

  @Test func allIsDoneInItsOrderAndWaitedFor() {
    let log = Log()
    let work = OrderedWork(name: "test", capacity: 1_000)
    #expect(work.wait())
    for number in 0..<500 { work.add(byteCount: 1, log.piece(number)) }
    work.wait()
    #expect(log.done == Array(0..<500))
  }

  @Test func aSlowDiskHoldsNobodyUpUntilThereIsTooMuch() {
    let log = Log()
    log.hold(true)
    let work = OrderedWork(name: "test", capacity: 100)
    for number in 0..<10 { work.add(byteCount: 10, log.piece(number)) }
    #expect(!work.wait(atMost: .milliseconds(20)))
    #expect(log.done.isEmpty)
    // One more has no room before another is done.
    let hasAdded = Monitor(false)
    let adder = StreamingThread(name: "adder", running: log) { log in
      work.add(byteCount: 10, log.piece(10))
      hasAdded.withLock { $0 = true }
    }
    #expect(!work.wait(atMost: .milliseconds(20)) && !hasAdded.withLock { $0 })
    log.hold(false)
    adder.join()
    work.wait()
    #expect(log.done == Array(0...10))
  }

  /// What is larger than all that may wait is done by itself.
  @Test func oneLargePieceIsTaken() {
    let log = Log()
    let work = OrderedWork(name: "test", capacity: 100)
    for number in 0..<3 { work.add(byteCount: 1_000, log.piece(number)) }
    work.wait()
    #expect(log.done == [0, 1, 2])
  }
}
