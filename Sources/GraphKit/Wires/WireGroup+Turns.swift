import GStreamer

/// Wires that are taken one after the other. Every function but two runs inside the group's lock.
extension WireGroup {
  /// Whether a wire's next item may be taken before those of the others: those of lower turns are
  /// over, and of its own turn no sample comes before this one.
  func isInTurn(_ index: Int, _ state: State) -> Bool {
    guard let turn = wires[index].turn else { return true }
    guard turn == state.levels.turn else { return false }
    // What isn't a sample has no time, and the thread of its wire takes it at once.
    guard let time = nextTime(on: index, state) else { return true }
    return wires.indices.allSatisfy { other in
      if other == index || wires[other].turn != turn || state.levels.inputs[other].isOver {
        return true
      }
      if state.queues[other].isHandling { return false }
      // The end of a wire is taken before later samples of another, and what may come is waited for.
      guard let otherTime = nextTime(on: other, state) else { return false }
      return time < otherTime || time == otherTime && index < other
    }
  }

  /// What was taken last of a wire has got to where that leads: the next sample of another may follow it.
  func noteHandled(_ index: Int) {
    locked { state in
      state.queues[index].isHandling = false
      wakeNeighbours(of: index, &state)
    }
  }

  /// When the sample begins that a wire holds first; `nil` where it holds none with a time.
  private func nextTime(on index: Int, _ state: State) -> Int64? {
    let queue = state.queues[index]
    return queue.store.items.firstTime.map {
      Int64(clamping: $0).subtractingClamped(queue.originOut)
    }
  }

  /// Has the wires that wait for what is first on another look again.
  func wakeNeighbours(of index: Int, _ state: inout State) {
    guard let turn = wires[index].turn else { return }
    for other in wires.indices where other != index && wires[other].turn == turn {
      if state.queues[other].isConsumerWaiting, isInTurn(other, state) {
        state.deferred.wakesThreads = true
      }
    }
  }

  /// Nothing more of a wire is taken: where it was the last of its turn, the next one begins.
  func passTurn(of index: Int, _ state: inout State) {
    guard wires[index].turn != nil else { return }
    state.levels.end(index)
    wakeAll(&state)
  }

  /// The end of a wire's stream has arrived where the wire leads.
  func noteEnd(_ index: Int) {
    locked { state in
      noteRest(on: index, &state)
      passTurn(of: index, &state)
    }
  }
}
