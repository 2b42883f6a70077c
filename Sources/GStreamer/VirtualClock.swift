import CGStreamer
import GraphKitSystem

/// A clock whose time advances only when it is set: a `GstClock` of a type that is registered here.
@safe package final class VirtualClock: @unchecked Sendable {
  // Unchecked because a GstClock locks itself, and the face has a lock of its own.
  let raw: UnsafeMutablePointer<GstClock>
  private let face = ClockFace()

  /// A clock at zero.
  package init() {
    Library.startCore()
    let object = unsafe g_object_new_with_properties(ClockType.type, 0, nil, nil)!
    unsafe raw = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstClock.self)
    unsafe gst_object_ref_sink(raw)
    unsafe ClockType.setFace(of: raw, face)
  }

  deinit { unsafe gst_object_unref(raw) }

  /// How many threads wait for a time that hasn't come; `nil` while some are being woken, since it
  /// isn't known yet what they will do.
  package var waitingCount: Int? {
    face.monitor.withLock { state in
      state.waits.values.allSatisfy { $0 > state.now } ? state.waits.count : nil
    }
  }

  /// Moves on to the earliest time that a thread waits for, and wakes it.
  package func advance() {
    face.monitor.withLock { state in
      guard let next = state.waits.values.min(), next > state.now else { return }
      state.now = next
      face.monitor.wakeAll()
    }
  }
}

extension Element {
  /// Makes this pipeline and all in it follow a clock, whatever its elements offer.
  package func use(_ clock: VirtualClock) {
    unsafe gst_pipeline_use_clock(
      UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstPipeline.self), clock.raw)
  }
}

/// What the clock shows, and who waits for what; owned by the C object too.
@safe private final class ClockFace: Sendable {
  struct State {
    var now: GstClockTime = 0
    /// The times that are waited for, by the entry's address.
    var waits: [UInt: GstClockTime] = [:]
  }
  let monitor = Monitor(State())

  func wait(
    for entry: UnsafeMutablePointer<GstClockEntry>,
    _ jitter: UnsafeMutablePointer<GstClockTimeDiff>?
  ) -> GstClockReturn {
    let key = UInt(bitPattern: entry)
    return monitor.withLock { state in
      let wanted = unsafe entry.pointee.time
      let late = Int(clamping: state.now) - Int(clamping: wanted)
      if let jitter = unsafe jitter { unsafe jitter.pointee = late }
      if late > 0, unsafe entry.pointee.status != GST_CLOCK_UNSCHEDULED { return GST_CLOCK_EARLY }
      defer { state.waits[key] = nil }
      while unsafe entry.pointee.status != GST_CLOCK_UNSCHEDULED {
        if state.now >= wanted { return GST_CLOCK_OK }
        state.waits[key] = wanted
        monitor.wait(&state)
      }
      return GST_CLOCK_UNSCHEDULED
    }
  }

  func unschedule(_ entry: UnsafeMutablePointer<GstClockEntry>) {
    monitor.withLock { _ in
      unsafe entry.pointee.status = GST_CLOCK_UNSCHEDULED
      monitor.wakeAll()
    }
  }
}

/// The GObject type behind every ``VirtualClock``.
private enum ClockType {
  @safe struct Instance {
    var parent: GstClock
    var face: Unmanaged<ClockFace>?
  }

  static let type: GType = {
    var info = unsafe GTypeInfo()
    unsafe info.class_size = guint16(MemoryLayout<GstClockClass>.size)
    unsafe info.instance_size = guint16(MemoryLayout<Instance>.size)
    unsafe info.class_init = { klass, _ in unsafe ClockType.setUp(klass) }
    return unsafe g_type_register_static(
      gst_clock_get_type(), "GraphKitVirtualClock", &info, GTypeFlags(rawValue: 0))
  }()

  // Written once, inside the registration's own lock, and only read afterwards.
  nonisolated(unsafe) private static var parentFinalize:
    (@convention(c) (UnsafeMutablePointer<GObject>?) -> Void)?

  private static func setUp(_ klass: gpointer?) {
    guard let klass = unsafe klass else { return }
    let object = unsafe klass.assumingMemoryBound(to: GObjectClass.self)
    let clock = unsafe klass.assumingMemoryBound(to: GstClockClass.self)
    unsafe parentFinalize = object.pointee.finalize
    unsafe object.pointee.finalize = { unsafe ClockType.finalize($0) }
    unsafe clock.pointee.get_internal_time = { clock in
      unsafe ClockType.face(of: clock)?.monitor.withLock { $0.now } ?? 0
    }
    unsafe clock.pointee.wait = { clock, entry, jitter in
      guard let entry = unsafe entry else { return GST_CLOCK_BADTIME }
      return unsafe ClockType.face(of: clock)?.wait(for: entry, jitter) ?? GST_CLOCK_ERROR
    }
    // Nothing that GraphKit names waits without a thread.
    unsafe clock.pointee.wait_async = { _, _ in GST_CLOCK_UNSUPPORTED }
    unsafe clock.pointee.unschedule = { clock, entry in
      guard let entry = unsafe entry else { return }
      unsafe ClockType.face(of: clock)?.unschedule(entry)
    }
  }

  private static func instance(_ clock: UnsafeMutablePointer<GstClock>)
    -> UnsafeMutablePointer<Instance>
  {
    unsafe UnsafeMutableRawPointer(clock).assumingMemoryBound(to: Instance.self)
  }

  static func setFace(of clock: UnsafeMutablePointer<GstClock>, _ face: ClockFace) {
    unsafe instance(clock).pointee.face = Unmanaged.passRetained(face)
  }

  private static func face(of clock: UnsafeMutablePointer<GstClock>?) -> ClockFace? {
    guard let clock = unsafe clock else { return nil }
    return unsafe instance(clock).pointee.face?.takeUnretainedValue()
  }

  private static func finalize(_ object: UnsafeMutablePointer<GObject>?) {
    guard let object = unsafe object else { return }
    let clock = unsafe UnsafeMutableRawPointer(object).assumingMemoryBound(to: GstClock.self)
    unsafe instance(clock).pointee.face?.release()
    unsafe parentFinalize?(object)
  }
}
