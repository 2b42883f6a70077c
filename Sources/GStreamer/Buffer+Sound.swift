import CGStreamer

extension Buffer {
  /// Notes with the buffer how the channels of its PCM lie in it, one after the other from the
  /// first byte to the last: elements that get planar audio go by that alone. A note that says
  /// anything else, as of samples that were trimmed since, is replaced.
  package mutating func describeSound(as caps: Caps, frames: Int) {
    var info = unsafe GstAudioInfo()
    guard unsafe gst_audio_info_from_caps(&info, caps.raw) != 0 else { return }
    if let meta = unsafe soundMeta {
      if unsafe meta.pointee.describes(info, frames: frames) { return }
      // A copy of the header: what a pool has attached itself can't be removed.
      self = unsafe Buffer(taking: gst_buffer_copy(raw))
      while let old = unsafe soundMeta, unsafe gst_buffer_remove_meta(raw, &old.pointee.meta) != 0 {
      }
    }
    makeWritable()
    unsafe _ = gst_buffer_add_audio_meta(raw, &info, gsize(frames), nil)
  }

  private var soundMeta: UnsafeMutablePointer<GstAudioMeta>? {
    guard let meta = unsafe gst_buffer_get_meta(raw, gst_audio_meta_api_get_type()) else {
      return nil
    }
    return unsafe UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstAudioMeta.self)
  }
}

extension GstAudioMeta {
  /// Whether these are planes of a format, each of so many samples, in order and without a gap.
  fileprivate func describes(_ other: GstAudioInfo, frames: Int) -> Bool {
    guard let planes = unsafe SoundPlanes(self) else { return false }
    let (mine, others) = unsafe (info.finfo.pointee.format, other.finfo.pointee.format)
    let isSame = unsafe (info.rate, info.channels) == (other.rate, other.channels)
    return unsafe mine == others && isSame && Int(samples) == frames && planes.areInOrder
  }
}

extension Buffer {
  /// Has decoders give all samples of a packet, and hand them on: whatever a parser noted of samples
  /// that are to be left out.
  private mutating func removeClipping() {
    makeWritable()
    if let meta = unsafe gst_buffer_get_meta(raw, gst_audio_clipping_meta_api_get_type()) {
      unsafe gst_buffer_remove_meta(raw, meta)
    }
    let flags = GST_BUFFER_FLAG_DECODE_ONLY.rawValue | GST_BUFFER_FLAG_DROPPABLE.rawValue
    unsafe raw.pointee.mini_object.flags &= ~flags
  }

  /// Has a decoder leave out so many samples of the beginning of a packet of `count`, and none of
  /// its end, whatever a parser noted. What is left is presented so that it ends with the packet.
  package mutating func clipStart(_ clipped: Int, of count: Int, rate: UInt64) {
    removeClipping()
    guard clipped > 0, count >= clipped, rate > 0 else { return }
    unsafe _ = gst_buffer_add_audio_clipping_meta(raw, GST_FORMAT_DEFAULT, guint64(clipped), 0)
    guard let start = presentationTime, let length = duration else { return }
    let kept = UInt64(count - clipped) * 1_000_000_000 / rate
    // A last packet that is cut ends earlier than its samples.
    guard length > kept else { return }
    (presentationTime, duration) = (start + length - kept, kept)
  }

  /// Has a decoder leave out of a packet of `count` samples those at its end that its duration doesn't
  /// count, where nothing was noted of its end. What it leaves out of the beginning stays, and so does what
  /// is less than a millisecond, to which some files round durations.
  package mutating func clipEnd(of count: Int, rate: UInt64) {
    guard let duration, rate > 0, duration < 1_000_000_000, clipping?.end ?? 0 == 0 else { return }
    let start = clipping?.start ?? 0
    let kept = (duration * rate + 500_000_000) / 1_000_000_000 + start
    guard kept + rate / 1_000 < UInt64(max(0, count)) else { return }
    removeClipping()
    setClipping(start: start, end: UInt64(count) - kept)
  }
}

extension Buffer {
  /// Makes the channels of planar audio contiguous, from the first byte to the last.
  ///
  /// GStreamer cuts such audio by noting where in the memory each channel begins and how long it
  /// is, and leaves the memory as it was.
  package mutating func packPlanes() {
    guard let meta = unsafe gst_buffer_get_meta(raw, gst_audio_meta_api_get_type()) else { return }
    let sound = unsafe UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstAudioMeta.self)
    guard let planes = unsafe SoundPlanes(sound.pointee), unsafe !planes.fill(raw) else { return }
    var packed = Buffer(size: planes.count * planes.byteCount)
    if let target = MutableBufferMap(&packed) {
      for (number, offset) in planes.offsets.enumerated() {
        unsafe gst_buffer_extract(
          raw, gsize(offset), target.bytes(at: number * planes.byteCount), gsize(planes.byteCount))
      }
    }
    let flags = GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
    unsafe gst_buffer_copy_into(packed.raw, raw, GstBufferCopyFlags(flags), 0, .max)
    var info = unsafe sound.pointee.info
    unsafe _ = gst_buffer_add_audio_meta(packed.raw, &info, sound.pointee.samples, nil)
    self = packed
  }
}

extension Buffer {
  /// Makes the memory begin at a multiple of a power of two. Readers of files cut samples out of
  /// what they have read, wherever these begin; memory that is aligned already isn't copied.
  package mutating func align(to alignment: Int) {
    guard !isAligned(to: alignment) else { return }
    var aligned = Buffer(size: size)
    if let target = MutableBufferMap(&aligned) {
      unsafe gst_buffer_extract(raw, 0, target.bytes(at: 0), gsize(size))
    }
    let parts =
      GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
      | GST_BUFFER_COPY_META.rawValue
    unsafe gst_buffer_copy_into(aligned.raw, raw, GstBufferCopyFlags(parts), 0, .max)
    self = aligned
  }

  private func isAligned(to alignment: Int) -> Bool {
    guard let map = BufferMap(self) else { return true }
    return map.address % UInt(alignment) == 0
  }
}

/// Where the channels of planar audio lie in a buffer.
private struct SoundPlanes {
  let offsets: [Int]
  /// Bytes of each.
  let byteCount: Int
  var count: Int { offsets.count }

  /// The planes that a buffer's meta tells of; `nil` for interleaved audio.
  init?(_ meta: GstAudioMeta) {
    guard unsafe meta.info.layout == GST_AUDIO_LAYOUT_NON_INTERLEAVED,
      let offsets = unsafe meta.offsets, let format = unsafe meta.info.finfo
    else { return nil }
    byteCount = unsafe Int(meta.samples) * Int(format.pointee.width) / 8
    self.offsets = unsafe (0..<Int(meta.info.channels)).map { unsafe Int(offsets[$0]) }
  }

  /// Whether they are the whole buffer, in order.
  func fill(_ raw: UnsafeMutablePointer<GstBuffer>) -> Bool {
    guard unsafe Int(gst_buffer_get_size(raw)) == count * byteCount else { return false }
    return areInOrder
  }

  /// Whether each begins where the one before ends.
  var areInOrder: Bool { offsets.indices.allSatisfy { offsets[$0] == $0 * byteCount } }
}

/// The layout in memory of raw audio whose channels are interleaved.
package struct SoundLayout: Hashable, Sendable {
  /// Bytes of the samples of all channels at one moment.
  package let frameSize: Int
  /// How many of them there are in a second.
  package let sampleRate: Int

  package init(frameSize: Int, sampleRate: Int) {
    (self.frameSize, self.sampleRate) = (frameSize, sampleRate)
  }

  /// The frames of so many nanoseconds, the nearest number.
  package func frames(in time: UInt64) -> Int {
    let product = time.multipliedFullWidth(by: UInt64(sampleRate))
    let (sum, carries) = product.low.addingReportingOverflow(500_000_000)
    let high = product.high + (carries ? 1 : 0)
    guard high < 1_000_000_000 else { return .max }
    let frames = UInt64(1_000_000_000).dividingFullWidth((high, sum)).quotient
    return Int(clamping: frames)
  }

  /// The nanoseconds of so many frames, rounded down.
  package func time(of frames: Int) -> UInt64 {
    let product = UInt64(frames).multipliedFullWidth(by: 1_000_000_000)
    guard product.high < UInt64(sampleRate) else { return .max }
    return UInt64(sampleRate).dividingFullWidth(product).quotient
  }
}

extension Caps {
  /// The layout in memory of raw audio of these caps; `nil` for anything else, and for planar audio.
  package var soundLayout: SoundLayout? {
    var info = unsafe GstAudioInfo()
    guard unsafe gst_audio_info_from_caps(&info, raw) != 0,
      unsafe info.layout == GST_AUDIO_LAYOUT_INTERLEAVED, unsafe info.rate > 0,
      unsafe info.bpf > 0
    else { return nil }
    return unsafe SoundLayout(frameSize: Int(info.bpf), sampleRate: Int(info.rate))
  }

  /// The sampling rate of audio, raw or encoded, where the caps say it.
  package var sampleRate: Int? {
    guard let structure = unsafe gst_caps_get_structure(raw, 0) else { return nil }
    var rate: gint = 0
    return unsafe gst_structure_get_int(structure, "rate", &rate) != 0 ? Int(rate) : nil
  }
}
