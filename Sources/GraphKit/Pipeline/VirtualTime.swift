import GStreamer
import Synchronization
import GraphKitSystem

/// Moves a virtual clock on, whenever everything that is due has happened.
///
/// That is when each live source waits for its next time, and no wire holds anything that could
/// still move. So nothing is dropped because the machine was slow, and the same graph gives the
/// same samples each time.
final class VirtualTime: Sendable {
  private let clock = VirtualClock()
  /// Live sources that haven't ended.
  private let sources: Atomic<Int>
  private let isOver = Atomic<Bool>(false)
  private let thread = Monitor<StreamingThread?>(nil)

  /// How long the thread sleeps between two looks.
  private static let pause: UInt32 = 20

  init(_ lowered: Lowered) {
    sources = Atomic(lowered.livePads.count)
    for pads in lowered.livePads {
      let hasEnded = Flag()
      for pad in pads {
        pad.onEndOfStream { [weak self] in
          if hasEnded.raise() { self?.sources.subtract(1, ordering: .sequentiallyConsistent) }
        }
      }
    }
    lowered.pipeline.use(clock)
  }

  /// Starts the thread.
  func start(_ lowered: Lowered, log: RunLog) {
    let exits = Set(lowered.outputs.values.map { ObjectIdentifier($0.group) })
    let wires = Wires(
      groups: lowered.groups.map { ($0, exits.contains(ObjectIdentifier($0))) }, log: log)
    let started = StreamingThread(name: "virtual time", running: wires) { [self] wires in
      while !isOver.load(ordering: .relaxed) {
        if isEverythingDone(wires) { clock.advance() }
        StreamingThread.nap(microseconds: Self.pause)
      }
    }
    thread.withLock { $0 = started }
  }

  /// Stops the thread and waits for it.
  func stop() {
    isOver.store(true, ordering: .relaxed)
    thread.withLock { $0.take() }?.join()
  }

  private func isEverythingDone(_ wires: Wires) -> Bool {
    let progress = wires.log.progress
    // The sources first: while they wait nothing new can come while the wires are looked at.
    guard let waiting = clock.waitingCount,
      waiting >= max(1, sources.load(ordering: .sequentiallyConsistent))
    else { return false }
    guard wires.groups.allSatisfy({ $0.group.isAtRest(isExit: $0.isExit) }) else { return false }
    // What moved from one wire to another meanwhile may have been overlooked on both.
    return progress == wires.log.progress
  }

  private final class Wires {
    let groups: [(group: WireGroup, isExit: Bool)]
    let log: RunLog

    init(groups: [(group: WireGroup, isExit: Bool)], log: RunLog) {
      self.groups = groups
      self.log = log
    }
  }

  private final class Flag: Sendable {
    private let isUp = Atomic<Bool>(false)
    /// Whether this call raised it.
    func raise() -> Bool { !isUp.exchange(true, ordering: .relaxed) }
  }
}
