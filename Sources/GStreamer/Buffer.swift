import CGStreamer
import Kernels

/// One reference to a `GstBuffer`: the last one gone frees it.
@safe package struct Buffer: ~Copyable, @unchecked Sendable {
  // Unchecked because writing goes through `makeWritable`, which copies what is shared.
  var raw: UnsafeMutablePointer<GstBuffer>

  init(taking raw: UnsafeMutablePointer<GstBuffer>) { unsafe self.raw = raw }

  deinit {
    giveUp()
    unsafe gst_buffer_unref(raw)
  }

  /// Orders what this thread did with a buffer before what others do: those that hold it, too, and
  /// may be alone with it from now on, or the next that gets it from its pool.
  private borrowing func giveUp() {
    let others = unsafe raw.pointee.mini_object.refcount > 1
    if unsafe others || raw.pointee.pool != nil { Handover.give() }
  }

  /// A buffer with fresh memory; its contents are undefined.
  package init(size: Int) {
    Library.startCore()
    // A size of zero or more always succeeds: GLib aborts the process when memory runs out.
    unsafe raw = gst_buffer_new_allocate(nil, gsize(max(size, 0)), nil)!
  }

  /// A buffer with these bytes.
  package init(_ bytes: [UInt8]) {
    self.init(size: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      _ = unsafe gst_buffer_fill(raw, 0, source.baseAddress, gsize(source.count))
    }
  }

  /// Hands the reference over to C.
  consuming func release() -> UnsafeMutablePointer<GstBuffer> {
    giveUp()
    let raw = unsafe self.raw
    discard self
    return unsafe raw
  }

  /// Another reference to the same buffer.
  package borrowing func share() -> Buffer { unsafe Buffer(taking: gst_buffer_ref(raw)) }

  /// Makes this the only reference, copying the metadata (not the memory) where it isn't.
  package mutating func makeWritable() {
    guard unsafe gst_mini_object_is_writable(Self.miniObject(raw)) == 0 else {
      return Handover.take()
    }
    // The one that is copied is let go of.
    Handover.give()
    unsafe raw = gst_mini_object_make_writable(Self.miniObject(raw)).withMemoryRebound(
      to: GstBuffer.self, capacity: 1
    ) { unsafe $0 }
  }

  static func miniObject(_ raw: UnsafeMutablePointer<GstBuffer>)
    -> UnsafeMutablePointer<GstMiniObject>
  {
    unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstMiniObject.self)
  }

  /// Bytes of all its memory.
  package var size: Int { unsafe Int(gst_buffer_get_size(raw)) }

  /// Presentation time in nanoseconds.
  package var presentationTime: UInt64? {
    get { unsafe Self.time(raw.pointee.pts) }
    set {
      makeWritable()
      unsafe raw.pointee.pts = newValue.map { GstClockTime($0) } ?? clockTimeNone
    }
  }

  /// Decode time in nanoseconds.
  package var decodeTime: UInt64? {
    get { unsafe Self.time(raw.pointee.dts) }
    set {
      makeWritable()
      unsafe raw.pointee.dts = newValue.map { GstClockTime($0) } ?? clockTimeNone
    }
  }

  /// Duration in nanoseconds.
  package var duration: UInt64? {
    get { unsafe Self.time(raw.pointee.duration) }
    set {
      makeWritable()
      unsafe raw.pointee.duration = newValue.map { GstClockTime($0) } ?? clockTimeNone
    }
  }

  private static func time(_ time: GstClockTime) -> UInt64? { time.known }

  private func has(_ flag: GstBufferFlags) -> Bool {
    unsafe raw.pointee.mini_object.flags & flag.rawValue != 0
  }

  private mutating func set(_ flag: GstBufferFlags, _ on: Bool) {
    makeWritable()
    if on {
      unsafe raw.pointee.mini_object.flags |= flag.rawValue
    } else {
      unsafe raw.pointee.mini_object.flags &= ~flag.rawValue
    }
  }

  /// Whether decoding can't start here.
  package var isDelta: Bool {
    get { has(GST_BUFFER_FLAG_DELTA_UNIT) }
    set { set(GST_BUFFER_FLAG_DELTA_UNIT, newValue) }
  }

  /// Whether something is missing before this buffer.
  package var isDiscontinuity: Bool {
    get { has(GST_BUFFER_FLAG_DISCONT) }
    set { set(GST_BUFFER_FLAG_DISCONT, newValue) }
  }

  /// The flags of an interlaced frame (`GST_VIDEO_BUFFER_FLAG_INTERLACED`, `_TFF`, `_RFF` and
  /// `_ONEFIELD`), the first of them as 1; others are left as they are.
  package var fields: Int {
    get { unsafe Int(raw.pointee.mini_object.flags / GST_BUFFER_FLAG_LAST.rawValue & 0xF) }
    set {
      guard newValue != fields else { return }
      makeWritable()
      let first = GST_BUFFER_FLAG_LAST.rawValue
      unsafe raw.pointee.mini_object.flags &= ~(0xF * first)
      unsafe raw.pointee.mini_object.flags |= guint(newValue & 0xF) * first
    }
  }

  /// Takes another frame's marks of fields; `isShifted` where the first row of one field is there the first
  /// of the other.
  package mutating func copyFields(of other: borrowing Buffer, isShifted: Bool) {
    let (interlaced, topFirst) = (1, 2)
    let marks = other.fields
    fields = isShifted && marks & interlaced != 0 ? marks ^ topFirst : marks
  }

  /// Whether the buffer carries headers rather than media.
  package var isHeader: Bool { has(GST_BUFFER_FLAG_HEADER) }

  /// Appends another buffer's memory, without a copy as long as there are few pieces.
  package mutating func append(_ other: consuming Buffer) {
    // It takes the reference to this buffer and gives back one to the longer one.
    unsafe raw = gst_buffer_append(raw, other.release())
  }

  /// Cuts to a part of the memory, without a copy.
  package mutating func trim(offset: Int, size: Int) {
    makeWritable()
    unsafe gst_buffer_resize(raw, gssize(offset), gssize(size))
  }

  /// The planes' layout where the buffer has its own, which overrides that of the caps.
  package var videoLayout: VideoLayout? {
    guard let meta = unsafe gst_buffer_get_video_meta(raw) else { return nil }
    let offsets = unsafe meta.pointee.offset
    return unsafe VideoLayout(
      planeCount: Int(meta.pointee.n_planes),
      offsets: (Int(offsets.0), Int(offsets.1), Int(offsets.2), Int(offsets.3)),
      strides: meta.pointee.stride)
  }

  /// Says where the planes of a frame lie, in place of what the caps say; `format` is their name
  /// for how pixels are stored. `false` where there is no such format.
  package mutating func setVideoLayout(
    _ layout: VideoLayout, format: String, width: Int, height: Int
  ) -> Bool {
    makeWritable()
    let format = unsafe gst_video_format_from_string(format)
    guard format != GST_VIDEO_FORMAT_UNKNOWN else { return false }
    var offsets = (0..<4).map { gsize(layout.offsets[$0]) }
    var strides = (0..<4).map { gint(layout.strides[$0]) }
    return unsafe gst_buffer_add_video_meta_full(
      raw, GST_VIDEO_FRAME_FLAG_NONE, format, guint(width), guint(height),
      guint(layout.planeCount), &offsets, &strides) != nil
  }
}

/// `GST_CLOCK_TIME_NONE`, a macro that Swift imports but can't compile.
let clockTimeNone = GstClockTime.max

extension FixedWidthInteger where Self: UnsignedInteger {
  /// The first time that no stream reaches, in nanoseconds: 73 years. A damaged file says such, and
  /// sums of three times below it fit a signed number.
  static var timeLimit: Self { 1 << 61 }

  /// The time or length that a buffer says; `nil` where it says none, or one that can't be.
  var known: UInt64? { self < Self.timeLimit ? UInt64(self) : nil }
}
