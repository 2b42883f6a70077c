import CGStreamer

/// What waits in a queue: buffers and the events between them, in order.
package enum Item: ~Copyable {
  case buffer(Buffer)
  case event(Event)
}

/// A first-in, first-out store of buffers and events. It grows to the most that it ever held and
/// allocates nothing after that.
@safe package struct ItemQueue: ~Copyable, @unchecked Sendable {
  // Unchecked because it owns what the pointers point at, one reference each.
  private var slots: ContiguousArray<Slot> = []
  private var head = 0
  package private(set) var count = 0

  @safe private struct Slot {
    var object: UnsafeMutableRawPointer
    var isBuffer: Bool
  }

  package init() {}

  deinit {
    for index in 0..<count {
      let slot = slots[(head + index) % slots.count]
      unsafe gst_mini_object_unref(slot.object.assumingMemoryBound(to: GstMiniObject.self))
    }
  }

  package var isEmpty: Bool { count == 0 }

  package mutating func append(_ buffer: consuming Buffer) {
    unsafe append(Slot(object: UnsafeMutableRawPointer(buffer.release()), isBuffer: true))
  }

  package mutating func append(_ event: consuming Event) {
    unsafe append(Slot(object: UnsafeMutableRawPointer(event.release()), isBuffer: false))
  }

  private mutating func append(_ slot: Slot) {
    if count == slots.count {
      let ordered = ContiguousArray(slots[head...] + slots[..<head])
      slots = ordered + ContiguousArray(repeating: slot, count: max(16, count))
      head = 0
    }
    slots[(head + count) % slots.count] = slot
    count += 1
  }

  package mutating func popFirst() -> Item? {
    guard count > 0 else { return nil }
    let slot = slots[head]
    head = (head + 1) % slots.count
    count -= 1
    return if slot.isBuffer {
      unsafe .buffer(Buffer(taking: slot.object.assumingMemoryBound(to: GstBuffer.self)))
    } else {
      unsafe .event(Event(taking: slot.object.assumingMemoryBound(to: GstEvent.self)))
    }
  }

  /// Whether the next item is an event.
  package var startsWithEvent: Bool { count > 0 && !slots[head].isBuffer }

  /// The presentation time of the next item, where it is a buffer that has one.
  package var firstTime: UInt64? {
    guard count > 0, slots[head].isBuffer else { return nil }
    let buffer = unsafe slots[head].object.assumingMemoryBound(to: GstBuffer.self)
    return unsafe buffer.pointee.pts.known
  }

  /// When the next item is decoded, or presented where that isn't said; `nil` where it isn't a buffer
  /// with a time.
  package var firstDecodeTime: UInt64? {
    guard count > 0, slots[head].isBuffer else { return nil }
    let buffer = unsafe slots[head].object.assumingMemoryBound(to: GstBuffer.self)
    return unsafe buffer.pointee.dts.known ?? buffer.pointee.pts.known
  }

  /// The duration of the next item; zero where it has none.
  package var firstDuration: UInt64 {
    guard count > 0, slots[head].isBuffer else { return 0 }
    let buffer = unsafe slots[head].object.assumingMemoryBound(to: GstBuffer.self)
    return unsafe buffer.pointee.duration.known ?? 0
  }
}
