import Dispatch
import Foundation
import GStreamer
import GraphKitSystem
import TestTools
import Testing

@testable import GraphKit

/// Where sound ends must not depend on how far it got before the first picture.
@Suite(.inTurn) struct SessionLimitTests {
  private static let policy = QueuePolicy(
    time: MediaTime(value: 10, timescale: 1), bytes: 1 << 20, samples: 1000,
    interleavingWindow: MediaTime(value: 10, timescale: 1))
  private let limit = SessionLimit(MediaTime(value: 1, timescale: 1))

  private var groups: (sound: WireGroup, pictures: WireGroup) {
    (group("tone", "audio", starts: false), group("picture", "video", starts: true))
  }

  private func group(_ source: String, _ encoder: String, starts: Bool) -> WireGroup {
    WireGroup(
      [
        .init(
          from: PortReference(source, "out"), to: PortReference(encoder, "in"), policy: Self.policy,
          limit: LimitGate(
            [.init(limit: limit, role: .init(starts: starts, waits: !starts))], wire: source))
      ], log: RunLog(traces: false))
  }

  /// Sends sound in blocks of 100 ms until it is told to end; tells how many were taken.
  private func soundTaken(_ sound: WireGroup, while body: () -> Void) -> Int {
    let (ended, count) = (DispatchSemaphore(value: 0), Monitor(0))
    Thread.detachNewThread {
      while sound.offer(sample(at: UInt64(count.withLock { $0 }) * 100_000_000), on: 0) == .ok {
        count.withLock { $0 += 1 }
      }
      ended.signal()
    }
    body()
    #expect(ended.wait(timeout: .now() + 10) == .success)
    return count.withLock { $0 }
  }

  /// A picture at `delay` ms comes once the sound has all that it can be sure of.
  @Test(arguments: [(0, 10), (500, 15)]) func soundWaitsForThePicture(delay: UInt64, blocks: Int) {
    Library.start(plugins: [])
    let (sound, pictures) = groups
    let taken = soundTaken(sound) {
      while sound.snapshots()[0].samples < 10 { sched_yield() }
      #expect(pictures.offer(sample(at: delay * 1_000_000), on: 0) == .ok)
    }
    #expect(taken == blocks)
  }

  @Test func soundCountsFromItsOwnStartWhereNoPictureComes() {
    Library.start(plugins: [])
    let (sound, pictures) = groups
    #expect(soundTaken(sound) { pictures.enqueue(.endOfStream(), on: 0) } == 10)
  }

  @Test func aStoppingPipelineLetsSoundGo() {
    Library.start(plugins: [])
    let (sound, pictures) = groups
    let taken = soundTaken(sound) {
      while sound.snapshots()[0].samples < 10 { sched_yield() }
      sound.setFlushing(true, on: 0)
    }
    #expect(taken == 10 && pictures.snapshots()[0].samples == 0)
  }
}

private func sample(at time: UInt64) -> Buffer {
  var buffer = Buffer(size: 4)
  buffer.presentationTime = time
  buffer.duration = 100_000_000
  return buffer
}
