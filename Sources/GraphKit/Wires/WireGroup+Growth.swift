extension WireGroup {
  /// Gives wires more room whose producers wait while another of the group is ready; whether any
  /// has got it.
  func grow() -> Bool {
    guard wires.count > 1 else { return false }
    return locked { state in
      var hasGrown = false
      for index in wires.indices where state.queues[index].blockedBy != nil {
        if state.levels.widen(index, limit: QueueBounds.byteLimit) { hasGrown = true }
      }
      if hasGrown { wakeAll(&state) }
      return hasGrown
    }
  }
}
