extension WireGroup {
  /// Whether a producer waits beside other wires.
  var isHeldUp: Bool {
    guard wires.count > 1 else { return false }
    return monitor.withLock { state in
      state.queues.contains { $0.blockedBy != nil || !$0.producers.isEmpty }
    }
  }

  /// Gives a wire more room whose producer waits while another of the group is ready, the one that may
  /// hold least; whether there is one.
  func grow() -> Bool {
    guard wires.count > 1 else { return false }
    return locked { state in
      let waiting = wires.indices.filter { index in
        state.queues[index].blockedBy != nil || !state.queues[index].producers.isEmpty
      }
      let order = waiting.sorted { first, second in
        state.levels.inputs[first].policy.bytes < state.levels.inputs[second].policy.bytes
      }
      for index in order where state.levels.widen(index, limit: QueueBounds.byteLimit) {
        wakeAll(&state)
        return true
      }
      return false
    }
  }
}
