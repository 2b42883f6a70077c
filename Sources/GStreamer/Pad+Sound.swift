import CGStreamer

extension Pad {
  /// Makes silence of floating-point samples that aren't finite numbers, as they pass, since a
  /// filter would spread them; and cuts those that are larger than `limit`.
  package func boundSamples(to limit: Double) {
    unsafe onRawAudio { unsafe $0.bound(to: limit, as: $1) }
  }

  /// Has the `audioconvert` whose pad it is mix channels by factors: a row for each that leaves, with one
  /// for each that enters.
  package func setMix(_ factors: [[Double]]) {
    let rows = factors.map { row in
      "<" + row.map { "(float)\(Float($0))" }.joined(separator: ",") + ">"
    }
    setOfElement("mix-matrix", "<" + rows.joined(separator: ",") + ">")
  }

  /// Has the `audioconvert` whose pad it is say that it takes any channels, as before it had factors: it
  /// says (1.22) that it takes as many as those are for, so that others couldn't follow.
  package func openChannels() {
    let types =
      GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_PULL.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { _, info, _ in
        guard let info = unsafe info, let data = unsafe info.pointee.data else {
          return GST_PAD_PROBE_OK
        }
        let query = unsafe data.assumingMemoryBound(to: GstQuery.self)
        guard unsafe query.pointee.type == GST_QUERY_CAPS else { return GST_PAD_PROBE_OK }
        var filter: UnsafeMutablePointer<GstCaps>?
        var result: UnsafeMutablePointer<GstCaps>?
        unsafe gst_query_parse_caps(query, &filter)
        unsafe gst_query_parse_caps_result(query, &result)
        guard let result = unsafe result, var open = unsafe gst_caps_copy(result) else {
          return GST_PAD_PROBE_OK
        }
        for index in unsafe 0..<gst_caps_get_size(open) {
          let structure = unsafe gst_caps_get_structure(open, index)
          unsafe gst_structure_remove_field(structure, "channels")
          unsafe gst_structure_remove_field(structure, "channel-mask")
        }
        if let filter = unsafe filter,
          let common = unsafe gst_caps_intersect_full(filter, open, GST_CAPS_INTERSECT_FIRST)
        {
          unsafe gst_caps_unref(open)
          unsafe open = common
        }
        unsafe gst_query_set_caps_result(query, open)
        unsafe gst_caps_unref(open)
        return GST_PAD_PROBE_OK
      }, nil, nil)
  }

  /// Calls `body` for each buffer of raw audio that passes, to change it.
  private func onRawAudio(_ body: @escaping @Sendable (inout Buffer, GstAudioInfo) -> Void) {
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let data = unsafe info.pointee.data,
          let box = unsafe box, let caps = unsafe gst_pad_get_current_caps(pad)
        else { return GST_PAD_PROBE_OK }
        defer { unsafe gst_caps_unref(caps) }
        var audio = unsafe GstAudioInfo()
        guard unsafe gst_audio_info_from_caps(&audio, caps) != 0 else { return GST_PAD_PROBE_OK }
        // The probe's reference is the pad's own: it is taken, and one is given back.
        var buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
        unsafe Unmanaged<Box<@Sendable (inout Buffer, GstAudioInfo) -> Void>>.fromOpaque(box)
          .takeUnretainedValue().value(&buffer, audio)
        unsafe info.pointee.data = UnsafeMutableRawPointer(buffer.release())
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }
}

extension Buffer {
  fileprivate mutating func bound(to limit: Double, as info: GstAudioInfo) {
    switch unsafe info.finfo.pointee.format {
    case GST_AUDIO_FORMAT_F32LE: bound(to: Float(min(limit, Double(Float.greatestFiniteMagnitude))))
    case GST_AUDIO_FORMAT_F64LE: bound(to: limit)
    default: break
    }
  }

  /// What is as it should be stays shared.
  private mutating func bound<Sample: BinaryFloatingPoint & BitwiseCopyable>(to limit: Sample) {
    guard exceeds(limit), var map = MutableBufferMap(&self) else { return }
    let count = map.size / MemoryLayout<Sample>.stride
    var samples = map.mutableSpan(of: Sample.self, from: 0, count: count)
    for index in samples.indices where !(samples[index].magnitude <= limit) {
      let sample = samples[index]
      samples[index] = sample.isFinite ? min(max(sample, -limit), limit) : 0
    }
  }

  private borrowing func exceeds<Sample: BinaryFloatingPoint & BitwiseCopyable>(
    _ limit: Sample
  ) -> Bool {
    guard let map = BufferMap(self) else { return false }
    let samples = map.span(of: Sample.self, from: 0, count: map.size / MemoryLayout<Sample>.stride)
    // No comparison with what isn't a number is true.
    return samples.indices.contains { !(samples[$0].magnitude <= limit) }
  }
}
