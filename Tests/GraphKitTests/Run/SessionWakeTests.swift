import Dispatch
import Foundation
import GStreamer
import TestTools
import Testing

@testable import GraphKit

/// Sound that waits for the first picture must hear of it, whoever else waits.
@Suite(.inTurn) struct SessionWakeTests {
  private static let policy = QueuePolicy(
    time: MediaTime(value: 1, timescale: 1), bytes: 1 << 20, samples: 100,
    interleavingWindow: MediaTime(value: 1, timescale: 1))

  private let group = WireGroup(
    [
      .init(
        from: PortReference("picture", "out"), to: PortReference("movie", "video"), policy: policy,
        session: .init(.starts)),
      .init(
        from: PortReference("sound", "out"), to: PortReference("movie", "audio"), policy: policy,
        session: .init(.waits(isLive: false))),
    ], log: RunLog(traces: false))

  @Test(arguments: [true, false]) func soundGoesOnOnceItIsKnown(isPicture: Bool) {
    Library.start(plugins: [])
    #expect(group.offer(sample(at: 0), on: 1) == .ok)
    let (group, taken) = (group, DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      if case .buffer? = group.take(1) { taken.signal() }
    }
    while !group.snapshots()[1].consumerWaits { sched_yield() }
    if isPicture {
      #expect(group.offer(sample(at: 0), on: 0) == .ok)
    } else {
      group.enqueue(.endOfStream(), on: 0)
    }
    #expect(taken.wait(timeout: .now() + 10) == .success)
    group.setFlushing(true, on: 1)
  }

  private func sample(at time: UInt64) -> Buffer {
    var buffer = Buffer(size: 4)
    buffer.presentationTime = time
    buffer.duration = 20_000_000
    return buffer
  }
}
