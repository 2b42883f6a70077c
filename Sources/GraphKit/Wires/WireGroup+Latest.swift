import GStreamer

/// Wires that keep the newest sample alone. Every function runs inside the group's lock.
extension WireGroup {
  /// Drops the sample that a wire holds, for a newer one; `false` where it holds none.
  func supersede(on index: Int, _ state: inout State) -> Bool {
    guard state.levels.inputs[index].samples > 0 else { return false }
    // Events stay, in their order and before the sample that comes, but for repeated ones: they may
    // never be taken.
    var latest = LatestEvents()
    while let item = state.queues[index].store.items.popFirst() {
      switch consume item {
      case .event(let event): latest.keep(event)
      case .buffer(let buffer):
        state.levels.take(
          index, time: buffer.time(from: state.queues[index].originOut),
          duration: Int64(clamping: buffer.duration ?? 0), bytes: buffer.size)
        state.queues[index].ledger.held -= 1
        drop(.superseded, on: index, &state)
      }
    }
    latest.put(into: &state.queues[index].store.items)
    return true
  }
}

extension WireGroup {
  /// The next item of a wire, where there is one.
  func takeIfAvailable(_ index: Int) -> Item? {
    locked { state in
      if mayTake(index, &state), let item = takeFirst(index, &state) { return item }
      return takeFromRemains(index, &state)
    }
  }

  /// What the run left to a reader that goes on; a sample taken then isn't lost any more.
  private func takeFromRemains(_ index: Int, _ state: inout State) -> Item? {
    guard let item = state.queues[index].remains.items.popFirst() else { return nil }
    switch consume item {
    case .event(let event): return .event(event)
    case .buffer(let buffer):
      state.queues[index].ledger.samplesOut += 1
      state.queues[index].ledger.takeBack(.runEnded)
      return .buffer(buffer)
    }
  }
}

/// The last of each event that says what follows.
private struct LatestEvents: ~Copyable {
  private var streamStart: Event?
  private var caps: Event?
  private var segment: Event?

  init() {}

  mutating func keep(_ event: consuming Event) {
    switch event.kind {
    case .streamStart: streamStart = consume event
    case .caps: caps = consume event
    case .segment: segment = consume event
    // Tags and the like are about samples that are gone.
    default: break
    }
  }

  consuming func put(into items: inout ItemQueue) {
    if let event = streamStart.take() { items.append(event) }
    if let event = caps.take() { items.append(event) }
    if let event = segment.take() { items.append(event) }
  }
}
