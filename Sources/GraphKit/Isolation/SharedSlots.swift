import GraphKitSystem

/// Memory that is shared with a process, piece by piece, and filled by it again and again.
///
/// There are as many pieces as samples of them are in use: the graph's own bounds are those of this
/// memory, too.
final class SharedSlots: Sendable {
  private struct State {
    var free: [SharedSlot] = []
    /// The bytes of those that are made.
    var byteCount: Int
    var next: Int
  }
  private let state: Monitor<State>

  /// Pieces of so many bytes for now, which are numbered from some number on, in steps.
  init(byteCount: Int, first: Int) { state = Monitor(State(byteCount: byteCount, next: first)) }

  /// Every piece has so many bytes from now on.
  func grow(to byteCount: Int) {
    state.withLock { $0.byteCount = max($0.byteCount, byteCount) }
  }

  /// A piece to be filled, and whether it is a new one; with the numbers of those that have become too
  /// small and are gone.
  func take(step: Int) throws(File.Failure) -> (slot: SharedSlot, isNew: Bool, gone: [Int]) {
    let (slot, gone, byteCount, number) = state.withLock { state in
      let gone = state.free.filter { $0.memory.byteCount < state.byteCount }.map(\.number)
      state.free.removeAll { $0.memory.byteCount < state.byteCount }
      let slot = state.free.popLast()
      defer { if slot == nil { state.next += step } }
      return (slot, gone, state.byteCount, state.next)
    }
    if let slot { return (slot, false, gone) }
    let memory = try SharedMemory(byteCount: byteCount)
    return (SharedSlot(number: number, memory: memory), true, gone)
  }

  fileprivate func giveBack(_ slot: SharedSlot) { state.withLock { $0.free.append(slot) } }

  /// A filled piece, which can be filled again after the last use of the lease.
  final class Lease: Sendable {
    let slot: SharedSlot
    private let slots: SharedSlots

    init(_ slot: SharedSlot, of slots: SharedSlots) { (self.slot, self.slots) = (slot, slots) }

    deinit { slots.giveBack(slot) }
  }
}

/// A piece of shared memory, and its number.
struct SharedSlot: Sendable {
  let number: Int
  let memory: SharedMemory
}
