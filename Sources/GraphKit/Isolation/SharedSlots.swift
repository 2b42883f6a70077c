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
  private let budget: Budget

  /// Why there is no piece.
  enum Problem: Error {
    /// All pieces together would have more bytes than they may.
    case beyondLimit
    case system(File.Failure)
  }

  /// Pieces of so many bytes for now, which are numbered from some number on, in steps.
  init(byteCount: Int, first: Int, budget: Budget = Budget(.max)) {
    state = Monitor(State(byteCount: byteCount, next: first))
    self.budget = budget
  }

  /// Every piece has so many bytes from now on.
  func grow(to byteCount: Int) {
    state.withLock { $0.byteCount = max($0.byteCount, byteCount) }
  }

  /// A piece to be filled, and whether it is a new one; with the numbers of those that have become too
  /// small and are gone.
  func take(step: Int) throws(Problem) -> (slot: SharedSlot, isNew: Bool, gone: [Int]) {
    let (slot, gone, byteCount, number) = state.withLock { state in
      let gone = state.free.filter { $0.region.byteCount < state.byteCount }.map(\.number)
      state.free.removeAll { $0.region.byteCount < state.byteCount }
      let slot = state.free.popLast()
      defer { if slot == nil { state.next += step } }
      return (slot, gone, state.byteCount, state.next)
    }
    if let slot { return (slot, false, gone) }
    guard let share = budget.share(byteCount) else { throw .beyondLimit }
    do throws(File.Failure) {
      let memory = try SharedMemory(byteCount: byteCount)
      return (SharedSlot(number: number, region: memory, share: share), true, gone)
    } catch {
      throw .system(error)
    }
  }

  fileprivate func giveBack(_ slot: SharedSlot) { state.withLock { $0.free.append(slot) } }

  /// The bytes that the pieces of all tracks of a file may have together.
  final class Budget: Sendable {
    private let left: Monitor<Int>

    init(_ byteCount: Int) { left = Monitor(byteCount) }

    /// Some of the bytes; `nil` where so many aren't left.
    func share(_ byteCount: Int) -> Share? {
      let isThere = left.withLock { left in
        guard byteCount <= left else { return false }
        left -= byteCount
        return true
      }
      return isThere ? Share(byteCount, of: self) : nil
    }

    /// Bytes that are used as long as it is.
    final class Share: Sendable {
      private let byteCount: Int
      private let budget: Budget

      fileprivate init(_ byteCount: Int, of budget: Budget) {
        (self.byteCount, self.budget) = (byteCount, budget)
      }

      deinit { budget.left.withLock { $0 += byteCount } }
    }
  }

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
  let region: SharedMemory
  /// What it has of the bytes that all may have.
  var share: SharedSlots.Budget.Share?
}
