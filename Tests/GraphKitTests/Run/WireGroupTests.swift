import GStreamer
import Synchronization
import GraphKitSystem
import TestTools
import Testing

@testable import GraphKit

@Suite("The wires of one sink", .inTurn)
struct WireGroupTests {
  private func group(
    inputs: Int = 1, samples: Int = 2, drops: Bool = false, window: Int64 = 1,
    waitsInside: Bool = false, delivery: WireGroup.Delivery = .each, turn: Int? = nil
  ) -> WireGroup {
    let policy = QueuePolicy(
      time: MediaTime(value: 10, timescale: 1), bytes: 1 << 20, samples: samples,
      interleavingWindow: MediaTime(value: window, timescale: 1), dropsWhenNotReady: drops)
    return WireGroup(
      (0..<inputs).map {
        WireGroup.Wire(
          from: PortReference("a\($0)", "out"), to: PortReference("b", "in\($0)"), policy: policy,
          delivery: delivery, turn: turn)
      },
      waitsInside: waitsInside, log: RunLog(traces: false))
  }

  private func buffer(second: UInt64 = 0) -> Buffer {
    var buffer = Buffer(size: 4)
    buffer.presentationTime = second * 1_000_000_000
    buffer.duration = 1_000_000_000
    return buffer
  }

  private func offer(_ group: WireGroup, second: UInt64 = 0, on index: Int = 0) -> Flow {
    group.offer(buffer(second: second), on: index)
  }

  private func offerIfReady(_ group: WireGroup, second: UInt64 = 0) -> Bool {
    group.offerIfReady(buffer(second: second), on: 0) == .taken
  }

  private func takes(_ group: WireGroup) -> Bool {
    if let _ = group.takeIfAvailable(0) { true } else { false }
  }

  private func ledger(_ group: WireGroup, _ index: Int = 0) -> WireLedger {
    group.ledgers()[index].ledger
  }

  @Test("programs have as long for a first sample as the others' samples last")
  func programsTakeTheirTime() {
    var policy = QueuePolicy(
      time: MediaTime(value: 100, timescale: 1), bytes: 1 << 20, samples: 100,
      interleavingWindow: MediaTime(value: 100, timescale: 1),
      firstSampleTimeout: MediaTime(value: 5, timescale: 1))
    policy.timesOutByMedia = true
    let group = WireGroup(
      (0..<2).map {
        WireGroup.Wire(
          from: PortReference("a\($0)", "out"), to: PortReference("b", "in\($0)"), policy: policy)
      }, log: RunLog(traces: false))
    #expect(group.starved(at: 3_600_000_000_000) == [])
    for second in 0..<5 { #expect(offer(group, second: UInt64(second)) == .ok) }
    #expect(group.starved(at: 3_600_000_000_000) == [])
    #expect(offer(group, second: 5) == .ok)
    #expect(group.starved(at: 0) == [1])
    // Where the other has ended, nothing but the clock goes on.
    let ended = WireGroup(group.wires, log: RunLog(traces: false))
    ended.finish(0)
    #expect(ended.starved(at: 4_000_000_000) == [] && ended.starved(at: 6_000_000_000) == [1])
  }

  @Test("the consumer of a copy is woken for sixteen samples at once, and for the end")
  func batch() {
    for (samples, isEnded) in [(16, false), (3, true)] {
      let group = group(samples: 1_000, window: 100, delivery: .batched)
      let calls = Mutex(0)
      group.whenItemComes(0) { calls.withLock { $0 += 1 } }
      for second in 1..<samples { #expect(offer(group, second: UInt64(second) / 100) == .ok) }
      #expect(calls.withLock { $0 } == 0)
      if isEnded { group.finish(0) } else { #expect(offer(group) == .ok) }
      #expect(calls.withLock { $0 } == 1)
    }
  }

  @Test("what is taken in the order of its times gets on in that order")
  func order() {
    let group = group(inputs: 2, samples: 10, window: 100, turn: 1)
    for (second, index) in [(0, 0), (2, 0), (1, 1), (3, 1)] {
      #expect(offer(group, second: UInt64(second), on: index) == .ok)
    }
    func isInTurn(_ index: Int) -> Bool { group.monitor.withLock { group.isInTurn(index, $0) } }
    func takes(_ index: Int) -> Bool { if let _ = group.take(index) { true } else { false } }
    #expect(isInTurn(0) && !isInTurn(1))
    #expect(takes(0))
    // Its thread hasn't handed on what it took.
    #expect(!isInTurn(1))
    group.noteHandled(0)
    #expect(isInTurn(1) && !isInTurn(0))
    #expect(takes(1))
    #expect(!isInTurn(0))
  }

  @Test("a wire that is handed on by its producers takes all, and one thread at a time hands on")
  func direct() {
    let group = group(inputs: 2, samples: 1, window: 1, delivery: .direct)
    // Neither full nor ahead of the other wire: nothing may wait.
    for second in 0..<3 { #expect(offer(group, second: UInt64(second)) == .ok) }
    func takes(isFirst: Bool) -> Bool {
      if let _ = group.takeDirectly(0, isFirst: isFirst) { true } else { false }
    }
    #expect(takes(isFirst: true))
    // Another thread comes meanwhile, and leaves it to the first.
    #expect(!takes(isFirst: true))
    #expect(takes(isFirst: false) && takes(isFirst: false) && !takes(isFirst: false))
    #expect(offer(group, second: 3) == .ok)
    #expect(takes(isFirst: true))
    #expect(ledger(group).isBalanced && ledger(group).samplesOut == 4)
  }

  @Test("a live wire that is full drops, and says why")
  func drop() {
    let group = group(drops: true)
    for second in 0..<5 { #expect(offer(group, second: UInt64(second)) == .ok) }
    let account = ledger(group)
    #expect(account.samplesIn == 5)
    #expect(account.held == 2)
    #expect(account.dropped == ["wireFull": 3])
    #expect(account.isBalanced)
    #expect(account.highWaterSamples == 2)
    #expect(account.highWaterSeconds == 2)
  }

  @Test("a live wire that is ahead of its sink's other input drops with that reason")
  func dropAhead() {
    let group = group(inputs: 2, samples: 100, drops: true, window: 2)
    for second in 0..<4 { _ = offer(group, second: UInt64(second)) }
    #expect(ledger(group).dropped == ["aheadOfOtherInput": 2])
  }

  @Test("a wire that isn't ready refuses what may not wait, and books nothing")
  func refusal() {
    let group = group(samples: 1)
    #expect(offerIfReady(group))
    #expect(!offerIfReady(group))
    #expect(ledger(group).samplesIn == 1)
    #expect(takes(group))
    #expect(offerIfReady(group))
    #expect(ledger(group).samplesOut == 1)
  }

  @Test("a producer that waits goes on as soon as there is room, and its wait is booked")
  func waiting() async {
    let group = group(samples: 1)
    #expect(offer(group) == .ok)
    let thread = StreamingThread(name: "producer", running: Nothing()) { _ in
      _ = self.offer(group, second: 1)
    }
    while group.snapshots()[0].producerWaits == nil { await Task.yield() }
    #expect(group.snapshots()[0].producerWaits == "full of samples")
    #expect(takes(group))
    thread.join()
    let account = ledger(group)
    #expect(account.waits == 1 && account.held == 1 && account.samplesOut == 1)
    #expect(account.isBalanced)
  }

  @Test("a wait that goes on is in the account already")
  func openWaits() async {
    let (full, empty) = (group(samples: 1), group(samples: 1))
    #expect(offer(full) == .ok)
    let producer = StreamingThread(name: "producer", running: Nothing()) { _ in
      _ = self.offer(full, second: 1)
    }
    let consumer = StreamingThread(name: "consumer", running: Nothing()) { _ in _ = empty.take(0) }
    while full.snapshots()[0].producerWaits == nil { await Task.yield() }
    while !empty.snapshots()[0].consumerWaits { await Task.yield() }
    let start = ContinuousClock.now
    let (waited, idle) = (ledger(full).waitedSeconds, ledger(empty).idleSeconds)
    #expect(waited > 0 && idle > 0)
    #expect(ledger(full).waitedSeconds > waited && ledger(empty).idleSeconds > idle)
    // Once it is over it counts once.
    #expect(takes(full) && offer(empty) == .ok)
    producer.join()
    consumer.join()
    let most = (ContinuousClock.now - start) / .seconds(1) + 0.1
    #expect(ledger(full).waitedSeconds < 2 * (waited + most))
    let (end, idleEnd) = (ledger(full).waitedSeconds, ledger(empty).idleSeconds)
    #expect(ledger(full).waitedSeconds == end && ledger(empty).idleSeconds == idleEnd)
  }

  @Test("stopping wakes whoever waits, and books what was held")
  func flushing() async {
    let group = group(samples: 1)
    _ = offer(group)
    let thread = StreamingThread(name: "producer", running: Nothing()) { _ in
      #expect(self.offer(group, second: 1) == .flushing)
    }
    while group.snapshots()[0].producerWaits == nil { await Task.yield() }
    group.setFlushing(true, on: 0)
    thread.join()
    #expect(ledger(group).dropped == ["runEnded": 2])
    #expect(ledger(group).isBalanced)
    if let _ = group.take(0) { Issue.record("a stopped wire gave something") }
  }

  @Test("after the end nothing more enters; events never wait")
  func end() {
    let group = group(samples: 1)
    _ = offer(group)
    group.finish(0)
    group.finish(0)
    #expect(!offerIfReady(group))
    var kinds: [String] = []
    while let item = group.takeIfAvailable(0) {
      switch consume item {
      case .buffer: kinds.append("buffer")
      case .event(let event): kinds.append(event.isEndOfStream ? "end" : "event")
      }
    }
    #expect(kinds == ["buffer", "end"])
  }

  @Test("an input that is left out drops with that reason and holds nobody up")
  func leftOut() {
    let group = group(inputs: 2, samples: 100, window: 1)
    _ = offer(group)
    #expect(!offerIfReady(group, second: 1))
    group.leaveOut(1)
    #expect(offerIfReady(group, second: 1))
    #expect(offer(group, on: 1) == .ok)
    #expect(ledger(group, 1).dropped == ["inputLeftOut": 1])
    #expect(ledger(group, 1).isBalanced)
  }

  @Test(
    "time stands still while a stage has something to take, though another of its wires is empty",
    arguments: [true, false])
  func rest(waitsInside: Bool) async {
    let group = group(inputs: 2, waitsInside: waitsInside)
    let thread = StreamingThread(name: "consumer", running: Nothing()) { _ in _ = group.take(0) }
    while !group.snapshots()[0].consumerWaits { await Task.yield() }
    // Nobody has got to the other one yet.
    #expect(offer(group, on: 1) == .ok)
    #expect(group.isAtRest(isExit: false) == waitsInside)
    group.setFlushing(true, on: 0)
    thread.join()
  }

  private final class Nothing {}
}
