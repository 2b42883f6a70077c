import GStreamer
import Synchronization
import GraphKitSystem
import TestTools
import Testing

@Suite("What waits in a queue", .inTurn)
struct ItemQueueTests {
  /// The size of the next item where it is a buffer, -1 where it is an event, `nil` for none.
  private func pop(_ queue: inout ItemQueue) -> Int? {
    guard let item = queue.popFirst() else { return nil }
    return switch consume item {
    case .buffer(let buffer): buffer.size
    case .event: -1
    }
  }

  @Test("leaves in order, buffers and events alike")
  func order() {
    var queue = ItemQueue()
    queue.append(Buffer(size: 1))
    queue.append(Event.endOfStream())
    queue.append(Buffer(size: 2))
    let count = queue.count
    #expect(count == 3)
    let popped = [pop(&queue), pop(&queue), pop(&queue), pop(&queue)]
    #expect(popped == [1, -1, 2, nil])
    let isEmpty = queue.isEmpty
    #expect(isEmpty)
  }

  @Test("grows and wraps round without losing its order")
  func growth() {
    var queue = ItemQueue()
    var (next, expected) = (0, 0)
    for round in 0..<60 {
      for _ in 0..<(round % 7 + 2) {
        queue.append(Buffer(size: next))
        next += 1
      }
      for _ in 0..<(round % 5) where !queue.isEmpty {
        let size = pop(&queue)
        #expect(size == expected)
        expected += 1
      }
    }
    let count = queue.count
    #expect(count == next - expected)
    while let size = pop(&queue) {
      #expect(size == expected)
      expected += 1
    }
    #expect(expected == next)
  }

  @Test("what is left is let go with the queue")
  func release() throws {
    let caps = try #require(Caps("audio/x-raw"))
    let pool = BufferPool(caps: caps, size: 8, limit: 1)
    do {
      var queue = ItemQueue()
      if let buffer = pool.take() { queue.append(buffer) }
      #expect(!hasMore(pool))
    }
    #expect(hasMore(pool))
  }

  private func hasMore(_ pool: BufferPool) -> Bool {
    if let _ = pool.take() { true } else { false }
  }

  @Test("a monitor hands its state from thread to thread")
  func monitor() {
    let monitor = Monitor(0)
    let thread = StreamingThread(name: "other", running: Turn()) { _ in
      for _ in 0..<100 {
        monitor.withLock { value in
          while value % 2 == 0 { monitor.wait(&value) }
          value += 1
          monitor.wakeAll()
        }
      }
    }
    for _ in 0..<100 {
      monitor.withLock { value in
        while value % 2 == 1 { monitor.wait(&value) }
        value += 1
        monitor.wakeAll()
      }
    }
    thread.join()
    #expect(monitor.withLock { $0 } == 200)
  }

  private final class Turn {}
}
