import CGStreamer

/// A buffer, or a list of some, that passes a pad. Valid for the call that it is given to.
@safe package struct PassingData: ~Copyable {
  private let pad: UnsafeMutablePointer<GstPad>
  private let data: UnsafeMutableRawPointer
  /// A muxer may hand on several at once.
  private let isList: Bool

  fileprivate init?(_ info: GstPadProbeInfo, at pad: UnsafeMutablePointer<GstPad>) {
    guard let data = unsafe info.data else { return nil }
    unsafe self.pad = pad
    unsafe self.data = data
    isList = unsafe info.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue != 0
  }

  package var byteCount: Int {
    isList
      ? Int(unsafe gst_buffer_list_calculate_size(OpaquePointer(data)))
      : Int(unsafe gst_buffer_get_size(data.assumingMemoryBound(to: GstBuffer.self)))
  }

  /// The running time of the last buffer in nanoseconds, where it has one.
  package var time: Int64? {
    let origin = unsafe Pad(retaining: pad).segmentOrigin
    return unsafe last?.pointee.pts.known.map { Int64($0) - origin }
  }

  /// The stream's own time of the last buffer in nanoseconds, where it has one.
  package var presentationTime: UInt64? { unsafe last?.pointee.pts.known }

  /// Whether something may be missing before it.
  package var isDiscontinuity: Bool {
    unsafe (last?.pointee.mini_object.flags ?? 0) & GST_BUFFER_FLAG_DISCONT.rawValue != 0
  }

  private var last: UnsafeMutablePointer<GstBuffer>? {
    guard isList else { return unsafe data.assumingMemoryBound(to: GstBuffer.self) }
    let list = unsafe OpaquePointer(data)
    let count = unsafe gst_buffer_list_length(list)
    return count > 0 ? unsafe gst_buffer_list_get(list, count - 1) : nil
  }
}

extension Pad {
  /// Calls `body` for every buffer, or list of some, that passes, on its thread.
  package func onData(_ body: @escaping @Sendable (borrowing PassingData) -> Void) {
    probeData { data in
      body(data)
      return GST_PAD_PROBE_OK
    }
  }

  /// Calls `body` with the size of each of these.
  package func onByteCounts(_ body: @escaping @Sendable (Int) -> Void) {
    onData { data in body(data.byteCount) }
  }

  /// Asks `body` of each sample that comes whether it may pass, until the first that may. Called on
  /// the streaming thread.
  package func onFirstData(_ body: @escaping @Sendable () -> Bool) {
    probeData { _ in body() ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_DROP }
  }

  private func probeData(
    _ body: @escaping @Sendable (borrowing PassingData) -> GstPadProbeReturn
  ) {
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw,
      GstPadProbeType(
        GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue),
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info?.pointee, let box = unsafe box,
          let data = unsafe PassingData(info, at: pad)
        else { return GST_PAD_PROBE_OK }
        return unsafe Unmanaged<Box<@Sendable (borrowing PassingData) -> GstPadProbeReturn>>
          .fromOpaque(box).takeUnretainedValue().value(data)
      }, box, { box in unsafe releaseBox(box) })
  }
}
