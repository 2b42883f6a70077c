import Dispatch
import Foundation
import GStreamer
import TestTools
import Testing

@testable import GraphKit

/// What a group of wires wakes or reports may ask the group at once: no lock is held meanwhile.
@Suite(.inTurn) struct DeferredTests {
  private let log = RunLog(traces: false)

  private func group(drops: Bool = false) -> WireGroup {
    let policy = QueuePolicy(
      time: MediaTime(value: 10, timescale: 1), bytes: 1 << 20, samples: 1,
      interleavingWindow: MediaTime(value: 1, timescale: 1), dropsWhenNotReady: drops)
    return WireGroup(
      [
        WireGroup.Wire(
          from: PortReference("a", "out"), to: PortReference("b", "in"), policy: policy)
      ], log: log)
  }

  private func buffer() -> Buffer {
    var buffer = Buffer(size: 4)
    buffer.presentationTime = 0
    return buffer
  }

  /// Whether `body` comes to its end; it holds a lock for ever where it doesn't.
  private func ends(_ body: @escaping @Sendable () -> Void) -> Bool {
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      ended.signal()
    }
    return ended.wait(timeout: .now() + 10) == .success
  }

  @Test func aConsumerThatIsResumedMayTakeAtOnce() throws {
    Library.start(plugins: [])
    let group = group()
    let taken = DispatchSemaphore(value: 0)
    group.whenItemComes(0) {
      if case .buffer? = group.takeIfAvailable(0) { taken.signal() }
    }
    try #require(ends { _ = group.offer(buffer(), on: 0) })
    #expect(taken.wait(timeout: .now() + 10) == .success)
  }

  @Test func aProducerThatIsResumedMayOfferAtOnce() throws {
    Library.start(plugins: [])
    let group = group()
    #expect(group.offerIfReady(buffer(), on: 0) == .taken)
    let offered = DispatchSemaphore(value: 0)
    group.whenReady(0) {
      if group.offerIfReady(buffer(), on: 0) == .taken { offered.signal() }
    }
    try #require(
      ends {
        if case .buffer? = group.take(0) {}
      })
    #expect(offered.wait(timeout: .now() + 10) == .success)
    #expect(group.ledgers()[0].ledger.held == 1)
  }

  @Test func aListenerMayAskTheGroupOfWhatItHears() throws {
    Library.start(plugins: [])
    let group = group(drops: true)
    let heard = DispatchSemaphore(value: 0)
    let number = log.listen { event in
      guard case .drop = event.kind, group.ledgers()[0].ledger.dropped == ["wireFull": 1] else {
        return
      }
      heard.signal()
    }
    try #require(
      ends {
        for _ in 0..<2 { _ = group.offer(buffer(), on: 0) }
      })
    #expect(heard.wait(timeout: .now() + 10) == .success)
    log.stopListening(number)
  }

  @Test func aSampleFromBeforeTheLastOneIsNotTaken() {
    Library.start(plugins: [])
    let group = group()
    #expect(group.offerIfReady(buffer(), at: 5, on: 0) == .taken)
    // The wire is full; that the sample is out of order is known before.
    #expect(group.offerIfReady(buffer(), at: 4, on: 0) == .isBefore(5))
    #expect(group.offerIfReady(buffer(), at: 5, on: 0) == .notReady)
    group.finish(0)
    #expect(group.offerIfReady(buffer(), at: 6, on: 0) == .closed)
  }
}
