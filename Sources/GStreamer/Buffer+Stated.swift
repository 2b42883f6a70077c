import CGStreamer

extension Buffer {
  /// Which of a buffer's own accounts of how its memory is laid out stay with it.
  package enum KeptLayout {
    case none, audio, video
  }

  /// Leaves a buffer its memory, its times, whether decoding can start at it, whether something is
  /// missing before it, and one account of its layout. Everything else that elements attach is
  /// removed: other flags, offsets, samples to clip, cropping, references to clocks.
  ///
  /// The memory isn't copied. A buffer that says nothing else stays the same buffer, so that it
  /// finds its way back to its pool.
  package mutating func keepStated(_ layout: KeptLayout) {
    let other = unsafe raw.pointee.mini_object.flags & ~Self.keptFlags
    let hasMeta = hasMeta(besides: layout, lockedAlone: false)
    guard
      unsafe other != 0 || hasMeta || attachment != nil
        || raw.pointee.offset != .max || raw.pointee.offset_end != .max
    else { return }
    // A pool locks what it has attached itself; a copy of the header holds it unlocked.
    if self.hasMeta(besides: layout, lockedAlone: true) {
      self = unsafe Buffer(taking: gst_buffer_copy(raw))
    }
    makeWritable()
    unsafe raw.pointee.mini_object.flags &= Self.keptFlags
    unsafe raw.pointee.offset = .max
    unsafe raw.pointee.offset_end = .max
    if attachment != nil { attachment = nil }
    while let meta = unsafe meta(besides: layout, lockedAlone: false),
      unsafe gst_buffer_remove_meta(raw, meta) != 0
    {}
  }

  /// The public flags, those of every `GstMiniObject`, and the one by which a pool knows memory
  /// that it can't use again.
  private static let keptFlags =
    GST_BUFFER_FLAG_DELTA_UNIT.rawValue | GST_BUFFER_FLAG_DISCONT.rawValue
    | GST_BUFFER_FLAG_TAG_MEMORY.rawValue | (GST_MINI_OBJECT_FLAG_LAST.rawValue - 1)

  private borrowing func hasMeta(besides layout: KeptLayout, lockedAlone: Bool) -> Bool {
    unsafe meta(besides: layout, lockedAlone: lockedAlone) != nil
  }

  /// The first meta that is to go, or the first of those that is locked.
  private borrowing func meta(besides layout: KeptLayout, lockedAlone: Bool)
    -> UnsafeMutablePointer<GstMeta>?
  {
    var state: gpointer?
    while let meta = unsafe gst_buffer_iterate_meta(raw, &state) {
      let isLocked = unsafe meta.pointee.flags.rawValue & GST_META_FLAG_LOCKED.rawValue != 0
      if unsafe !Self.isKept(meta.pointee.info.pointee.api, layout), isLocked || !lockedAlone {
        return unsafe meta
      }
    }
    return nil
  }

  private static func isKept(_ api: GType, _ layout: KeptLayout) -> Bool {
    // The buffer that owns the memory: no statement, but without it the memory may be used again.
    if api == gst_parent_buffer_meta_api_get_type() { return true }
    return switch layout {
    case .none: false
    case .audio: api == gst_audio_meta_api_get_type()
    case .video: api == gst_video_meta_api_get_type()
    }
  }
}

extension Buffer {
  /// Has the layout that a buffer states of its planes be one of a frame of these caps; `false`
  /// where that can't be. Does nothing to a buffer without a layout of its own.
  package mutating func restateVideoLayout(as caps: Caps) -> Bool {
    guard let layout = videoLayout, let meta = unsafe gst_buffer_get_video_meta(raw) else {
      return true
    }
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, caps.raw) != 0 else { return false }
    let (format, width, height) = unsafe (
      meta.pointee.format, meta.pointee.width, meta.pointee.height
    )
    let isSame = unsafe format == info.finfo.pointee.format
    if isSame, unsafe (width, height) == (guint(info.width), guint(info.height)) { return true }
    self = unsafe Buffer(taking: gst_buffer_copy(raw))
    while let old = unsafe gst_buffer_get_video_meta(raw),
      unsafe gst_buffer_remove_meta(raw, &old.pointee.meta) != 0
    {}
    return setVideoLayout(caps, offsets: layout.offsets, strides: layout.strides)
  }
}
